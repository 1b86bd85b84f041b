/** What became of one request. `retry`: not delivered, and worth another try. `rejected`: never will be. */
export type SendResult =
  | { readonly outcome: "delivered" }
  | { readonly outcome: "rejected"; readonly error: string }
  | {
      readonly outcome: "retry";
      readonly error: string;
      /** The shortest wait the backend asked for. */
      readonly retryAfterMs: number;
    };

export interface BatchQueueOptions {
  /** Sends one batch; reports, never throws. */
  readonly send: (records: readonly Uint8Array[]) => Promise<SendResult>;
  /** Told about records that are given up: no room for them, refused for good, or left over at the end. */
  readonly onDropped: (records: number, why: "queue_full" | "rejected" | "closed") => void;
  readonly onSent: (records: number) => void;
  readonly maxQueueBytes?: number;
  readonly maxBatchBytes?: number;
  readonly maxBatchRecords?: number;
  /** How long a record waits for company. */
  readonly maxDelayMs?: number;
  readonly firstBackoffMs?: number;
  readonly maxBackoffMs?: number;
}

export interface BatchQueue {
  /**
   * Takes all records or none; false when there is no room. Returns at once; `done` is called when the backend has taken the last of them
   * or they were given up, but not for what is left when the queue is closed.
   */
  offer(records: readonly Uint8Array[], done?: () => void): boolean;
  /** Tries to send what is waiting; resolves when the queue is empty or a batch could not be delivered. */
  flush(): Promise<void>;
  /** Keeps trying until all is sent or the time is over; drops and counts the rest. */
  close(timeoutMs: number): Promise<void>;
  readonly records: number;
  readonly bytes: number;
}

const defaults = {
  maxQueueBytes: 16 * 1024 * 1024,
  maxBatchBytes: 1024 * 1024,
  maxBatchRecords: 1024,
  maxDelayMs: 1000,
  firstBackoffMs: 1000,
  maxBackoffMs: 30_000,
};

/** Collects encoded records into batches and sends them one batch after another; a batch that was not delivered goes first again. */
export function createBatchQueue(options: BatchQueueOptions): BatchQueue {
  return new Queue({ ...defaults, ...options });
}

class Queue implements BatchQueue {
  readonly #options: Required<BatchQueueOptions>;
  readonly #flushers: ((delivered: boolean) => void)[] = [];
  #waiting: Uint8Array[] = [];
  /** Whom to tell once this many records in all have left the queue. */
  readonly #dones: { readonly after: number; readonly call: () => void }[] = [];
  #left = 0;
  #bytes = 0;
  #backoffMs: number;
  #worker: Promise<void> | undefined;
  #rest: { readonly reason: "company" | "backoff"; readonly end: () => void } | undefined;
  #state: "open" | "closing" | "closed" = "open";

  constructor(options: Required<BatchQueueOptions>) {
    this.#options = options;
    this.#backoffMs = options.firstBackoffMs;
  }

  get records(): number {
    return this.#waiting.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  offer(records: readonly Uint8Array[], done?: () => void): boolean {
    const bytes = size(records);
    if (this.#state !== "open" || this.#bytes + bytes > this.#options.maxQueueBytes) {
      this.#options.onDropped(records.length, this.#state === "open" ? "queue_full" : "closed");
      if (this.#state === "open") done?.();
      return false;
    }
    for (const record of records) this.#waiting.push(record);
    this.#bytes += bytes;
    if (records.length === 0) done?.();
    else if (done !== undefined) this.#dones.push({ after: this.#left + this.#waiting.length, call: done });
    this.#start();
    if (this.#full() && this.#rest?.reason === "company") this.#rest.end();
    return true;
  }

  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const delivered = await new Promise<boolean>((resolve) => {
        this.#flushers.push(resolve);
        this.#rest?.end();
      });
      if (!delivered) return;
    }
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.#state === "open") this.#state = "closing";
    this.#rest?.end();
    const deadline = timer(timeoutMs, { keepsProcess: true });
    while (this.#worker !== undefined && !deadline.over) await Promise.race([this.#worker, deadline.promise]);
    deadline.cancel();
    this.#giveUp();
  }

  #start(): void {
    this.#worker ??= this.#work().finally(() => {
      this.#worker = undefined;
      if (this.#waiting.length > 0) this.#start();
    });
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (!this.#full() && !this.#hurried()) await this.#pause("company", this.#options.maxDelayMs);
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      const result = await this.#options.send(batch);
      if (this.#state === "closed") return;
      this.#settle(batch, result.outcome);
      if (result.outcome !== "retry") continue;
      await this.#pause("backoff", Math.max(this.#nextBackoffMs(), result.retryAfterMs));
    }
  }

  #settle(batch: readonly Uint8Array[], outcome: SendResult["outcome"]): void {
    if (outcome !== "retry") {
      this.#waiting = this.#waiting.slice(batch.length);
      this.#bytes -= size(batch);
      this.#left += batch.length;
      this.#backoffMs = this.#options.firstBackoffMs;
      if (outcome === "delivered") this.#options.onSent(batch.length);
      else this.#options.onDropped(batch.length, "rejected");
      this.#tellDone();
    }
    for (const resolve of this.#flushers.splice(0)) resolve(outcome !== "retry");
  }

  #tellDone(): void {
    const later = this.#dones.findIndex(({ after }) => after > this.#left);
    for (const { call } of this.#dones.splice(0, later === -1 ? this.#dones.length : later)) call();
  }

  #nextBatch(): readonly Uint8Array[] {
    let bytes = 0;
    let records = 0;
    for (const record of this.#waiting) {
      if (records === this.#options.maxBatchRecords) break;
      if (records > 0 && bytes + record.length > this.#options.maxBatchBytes) break;
      bytes += record.length;
      records++;
    }
    return this.#waiting.slice(0, records);
  }

  #full(): boolean {
    return (
      this.#waiting.length >= this.#options.maxBatchRecords || this.#bytes >= this.#options.maxBatchBytes
    );
  }

  #hurried(): boolean {
    return this.#state !== "open" || this.#flushers.length > 0;
  }

  /** Half to one and a half of the step, so that several collectors do not come back in step. */
  #nextBackoffMs(): number {
    const step = this.#backoffMs;
    this.#backoffMs = Math.min(step * 1.5, this.#options.maxBackoffMs);
    return step * (0.5 + Math.random());
  }

  async #pause(reason: "company" | "backoff", delayMs: number): Promise<void> {
    const wait = timer(delayMs);
    this.#rest = { reason, end: wait.cancel };
    await wait.promise;
    this.#rest = undefined;
  }

  #giveUp(): void {
    this.#state = "closed";
    this.#rest?.end();
    if (this.#waiting.length > 0) this.#options.onDropped(this.#waiting.length, "closed");
    this.#waiting = [];
    this.#bytes = 0;
    for (const resolve of this.#flushers.splice(0)) resolve(false);
  }
}

function size(records: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const record of records) bytes += record.length;
  return bytes;
}

interface Timer {
  readonly promise: Promise<void>;
  readonly over: boolean;
  /** Resolves the promise now. */
  readonly cancel: () => void;
}

function timer(delayMs: number, { keepsProcess = false } = {}): Timer {
  let over = false;
  let finish = (): void => {};
  const promise = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const handle = setTimeout(() => {
    over = true;
    finish();
  }, delayMs);
  if (!keepsProcess) handle.unref();
  const cancel = (): void => {
    clearTimeout(handle);
    finish();
  };
  return {
    promise,
    get over() {
      return over;
    },
    cancel,
  };
}
