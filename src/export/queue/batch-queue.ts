import type { DropReason } from "../records/export-events.ts";
import type { Block, DiskQueue } from "./disk-queue.ts";
import { timer } from "./timer.ts";

/** What became of one request. `retry`: not delivered, and worth another try. `rejected`: never will be. */
export type SendResult =
  | {
      readonly outcome: "delivered";
      /** Records that the backend left out; they are not sent again. */
      readonly rejected?: number;
      /** Records that the backend cannot take yet, of those that were sent: they are sent again after `postponeMs`. */
      readonly postponed?: readonly Uint8Array[];
    }
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
  /** Told about records that are given up: no room for them, refused for good, unreadable, or left over at the end. */
  readonly onDropped: (records: number, why: DropReason) => void;
  readonly onSent: (records: number) => void;
  /** Told about records that wait on the disk from now on. */
  readonly onSpilled?: (records: number) => void;
  /** Where records wait while the backend is down or slow, also over a restart; without it they wait in memory. */
  readonly spill?: DiskQueue | undefined;
  /** In memory. */
  readonly maxQueueBytes?: number;
  readonly maxBatchBytes?: number;
  readonly maxBatchRecords?: number;
  /** How long a record waits for company. */
  readonly maxDelayMs?: number;
  readonly firstBackoffMs?: number;
  readonly maxBackoffMs?: number;
  /** How long records wait that the backend could not take yet. */
  readonly postponeMs?: number;
}

export interface BatchQueue {
  /**
   * Takes all records or none; false when there is no room. Returns at once; `done` is called when the backend has taken the last of them,
   * or they are kept on the disk, or were given up, but not for what is left in memory when the queue is closed.
   */
  offer(records: readonly Uint8Array[], done?: () => void): boolean;
  /** Tries to send what is waiting; resolves when the queue is empty or a batch could not be delivered. */
  flush(): Promise<void>;
  /** Keeps trying until all is sent or the time is over; the rest stays on the disk, or is dropped and counted. */
  close(timeoutMs: number): Promise<void>;
  /** Records that wait, in memory and on the disk. */
  readonly records: number;
  /** Bytes in memory. */
  readonly bytes: number;
  readonly diskBytes: number;
  /** More records come than are sent, to a backend that takes them: whoever makes them should pause. */
  readonly isBehind: boolean;
}

const defaults = {
  maxQueueBytes: 16 * 1024 * 1024,
  maxBatchBytes: 1024 * 1024,
  maxBatchRecords: 1024,
  maxDelayMs: 1000,
  firstBackoffMs: 1000,
  maxBackoffMs: 30_000,
  postponeMs: 5000,
  onSpilled: () => undefined,
  spill: undefined,
};

/** Collects encoded records into batches and sends them one batch after another; a batch that was not delivered goes first again. */
export function createBatchQueue(options: BatchQueueOptions): BatchQueue {
  return new Queue({ ...defaults, ...options });
}

/** What was offered together. */
interface Offer {
  open: number;
  readonly done: (() => void) | undefined;
}

interface Waiting {
  readonly record: Uint8Array;
  readonly offer: Offer;
}

class Queue implements BatchQueue {
  readonly #options: Required<Omit<BatchQueueOptions, "spill">>;
  readonly #spill: DiskQueue | undefined;
  readonly #flushers: ((delivered: boolean) => void)[] = [];
  /** On the disk; they came before what waits in memory. */
  readonly #blocks: Block[];
  #waiting: Waiting[] = [];
  /** What the backend could not take yet, in memory and on the disk; `#postponeTimer` puts it at the end of the queue. */
  #postponed: Waiting[] = [];
  readonly #postponedBlocks: Block[] = [];
  #postponeTimer: NodeJS.Timeout | undefined;
  /** Out of memory's queue, and neither sent nor on the disk yet. */
  #leaving = 0;
  #bytes = 0;
  #inFlight: readonly Waiting[] = [];
  #backoffMs: number;
  #isFailing = false;
  #worker: Promise<void> | undefined;
  #spilling: Promise<void> | undefined;
  #spillTimer: NodeJS.Timeout | undefined;
  /** The disk did not take it: what comes waits in memory for now. */
  #spillsAgainMs = 0;
  #rest: { readonly reason: "company" | "backoff"; readonly end: () => void } | undefined;
  #state: "open" | "closing" | "closed" = "open";

  constructor({ spill, ...options }: Required<BatchQueueOptions>) {
    this.#options = options;
    this.#spill = spill;
    this.#blocks = [...(spill?.left ?? [])];
    this.#backoffMs = options.firstBackoffMs;
    if (this.#blocks.length > 0) this.#start();
  }

  get records(): number {
    const onDisk = [...this.#blocks, ...this.#postponedBlocks];
    const inMemory = this.#waiting.length + this.#postponed.length + this.#leaving;
    return onDisk.reduce((sum, { records }) => sum + records, inMemory);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get diskBytes(): number {
    return [...this.#blocks, ...this.#postponedBlocks].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get isBehind(): boolean {
    return this.#state === "open" && !this.#isFailing && this.#bytes > this.#options.maxQueueBytes / 2;
  }

  offer(records: readonly Uint8Array[], done?: () => void): boolean {
    const bytes = size(records);
    if (this.#state !== "open" || this.#bytes + bytes > this.#options.maxQueueBytes) {
      this.#options.onDropped(records.length, this.#state === "open" ? "queue_full" : "closed");
      if (this.#state === "open") done?.();
      return false;
    }
    if (records.length === 0) done?.();
    const offer = { open: records.length, done };
    for (const record of records) this.#waiting.push({ record, offer });
    this.#bytes += bytes;
    this.#start();
    if (this.#isFull() && this.#rest?.reason === "company") this.#rest.end();
    if (this.#spill !== undefined) this.#spillInTime();
    return true;
  }

  async flush(): Promise<void> {
    while (this.#hasWork() || this.#leaving > 0) {
      const delivered = await new Promise<boolean>((resolve) => {
        this.#flushers.push(resolve);
        this.#start();
        this.#rest?.end();
      });
      if (!delivered) return;
    }
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.#state === "open") this.#state = "closing";
    clearTimeout(this.#spillTimer);
    this.#resumePostponed();
    this.#rest?.end();
    const deadline = timer(timeoutMs, { keepsProcess: true });
    while (this.#worker !== undefined && !deadline.over && !this.#mayWait())
      await Promise.race([this.#worker, deadline.promise]);
    deadline.cancel();
    await this.#giveUp();
  }

  /** Whether what waits can do so on the disk, because its backend does not take it anyway. */
  #mayWait(): boolean {
    return this.#spill !== undefined && this.#isFailing;
  }

  #start(): void {
    this.#worker ??= this.#work().finally(() => {
      this.#worker = undefined;
      if (this.#hasWork()) this.#start();
    });
  }

  #hasWork(): boolean {
    if (this.#state === "closed") return false;
    return this.#blocks.length + this.#waiting.length > 0 || this.#spilling !== undefined;
  }

  async #work(): Promise<void> {
    while (this.#hasWork()) {
      const result = await this.#sendNext();
      if (this.#state === "closed") return;
      if (result === null) continue;
      for (const resolve of this.#flushers.splice(0)) resolve(result.outcome !== "retry");
      this.#isFailing = result.outcome === "retry";
      if (result.outcome !== "retry") {
        this.#backoffMs = this.#options.firstBackoffMs;
        continue;
      }
      if (this.#spill !== undefined) void this.#spillWaiting();
      if (this.#state === "closing" && this.#mayWait()) return;
      await this.#pause("backoff", Math.max(this.#nextBackoffMs(), result.retryAfterMs));
    }
  }

  /** Null when there was nothing to send after all. */
  async #sendNext(): Promise<SendResult | null> {
    const block = this.#blocks[0];
    if (block !== undefined) return this.#sendBlock(block);
    if (this.#waiting.length === 0) {
      await this.#spilling;
      return null;
    }
    if (!this.#isFull() && !this.#isHurried()) await this.#pause("company", this.#options.maxDelayMs);
    const isOver = this.#state === "closed" || this.#waiting.length === 0;
    if (isOver || this.#blocks.length > 0) return null;
    return this.#sendBatch(this.#takeBatch());
  }

  async #sendBlock(block: Block): Promise<SendResult> {
    const { send, onSent, onDropped } = this.#options;
    const records = (await this.#spill?.read(block)) ?? null;
    const result: SendResult =
      records === null ? { outcome: "rejected", error: "unreadable" } : await send(records);
    if (result.outcome === "retry" || this.#state === "closed") return result;
    const postponed = result.outcome === "delivered" ? (result.postponed ?? []) : [];
    if (postponed.length > 0 && !(await this.#keepPostponed(postponed))) return notKept;
    this.#blocks.shift();
    this.#spill?.done(block);
    if (records === null) onDropped(block.records, "unreadable");
    else if (result.outcome === "delivered")
      onSent(block.records - (result.rejected ?? 0) - postponed.length);
    else onDropped(block.records, "rejected");
    return result;
  }

  /** False when there is no disk, or it did not take them. */
  async #keepPostponed(records: readonly Uint8Array[]): Promise<boolean> {
    if (this.#spill === undefined) return false;
    try {
      this.#postponedBlocks.push(await this.#spill.add(records));
    } catch {
      return false;
    }
    this.#postpone();
    return true;
  }

  #postpone(): void {
    if (this.#state !== "open") return;
    this.#postponeTimer ??= setTimeout(() => this.#resumePostponed(), this.#options.postponeMs).unref();
  }

  #resumePostponed(): void {
    clearTimeout(this.#postponeTimer);
    this.#postponeTimer = undefined;
    this.#blocks.push(...this.#postponedBlocks.splice(0));
    this.#waiting.push(...this.#postponed);
    this.#postponed = [];
    if (this.#hasWork()) this.#start();
  }

  async #sendBatch(batch: readonly Waiting[]): Promise<SendResult> {
    this.#inFlight = batch;
    const result = await this.#options.send(batch.map(({ record }) => record));
    if (this.#state === "closed") return result;
    if (result.outcome === "retry") {
      this.#inFlight = [];
      this.#putBack(batch);
      return result;
    }
    const again = new Set(result.outcome === "delivered" ? result.postponed : []);
    const later = batch.filter(({ record }) => again.has(record));
    const onDisk = later.length === 0 || (await this.#keepPostponed([...again]));
    if (this.#isClosed()) return result;
    this.#inFlight = [];
    const sent = batch.length - later.length;
    if (result.outcome === "delivered") this.#options.onSent(sent - (result.rejected ?? 0));
    else this.#options.onDropped(sent, "rejected");
    this.#left(onDisk ? batch : batch.filter(({ record }) => !again.has(record)));
    if (!onDisk) this.#postponeInMemory(later);
    return result;
  }

  #postponeInMemory(later: readonly Waiting[]): void {
    this.#leaving -= later.length;
    this.#postponed.push(...later);
    this.#postpone();
  }

  /** Puts on the disk what a backend that is down or slow would let pile up. */
  #spillInTime(): void {
    if (performance.now() < this.#spillsAgainMs) return;
    if (this.#bytes > this.#options.maxQueueBytes / 4 || (this.#isFailing && this.#isFull())) {
      void this.#spillWaiting();
    } else if (this.#isFailing) {
      this.#spillTimer ??= setTimeout(() => {
        this.#spillTimer = undefined;
        if (this.#isFailing) void this.#spillWaiting();
      }, this.#options.maxDelayMs).unref();
    }
  }

  #spillWaiting(): Promise<void> {
    this.#spilling ??= this.#spillAll().finally(() => {
      this.#spilling = undefined;
    });
    return this.#spilling;
  }

  async #spillAll(): Promise<void> {
    const { onSpilled } = this.#options;
    while (this.#waiting.length > 0 && this.#spill !== undefined) {
      const batch = this.#takeBatch();
      try {
        this.#blocks.push(await this.#spill.add(batch.map(({ record }) => record)));
        onSpilled(batch.length);
      } catch {
        this.#putBack(batch);
        this.#spillsAgainMs = performance.now() + this.#options.maxDelayMs;
        return;
      }
      this.#left(batch);
    }
  }

  #takeBatch(): readonly Waiting[] {
    let bytes = 0;
    let records = 0;
    for (const { record } of this.#waiting) {
      if (records === this.#options.maxBatchRecords) break;
      if (records > 0 && bytes + record.length > this.#options.maxBatchBytes) break;
      bytes += record.length;
      records++;
    }
    const batch = this.#waiting.slice(0, records);
    this.#waiting = this.#waiting.slice(records);
    this.#leaving += records;
    return batch;
  }

  #putBack(batch: readonly Waiting[]): void {
    this.#leaving -= batch.length;
    this.#waiting = [...batch, ...this.#waiting];
  }

  #left(batch: readonly Waiting[]): void {
    this.#leaving -= batch.length;
    this.#bytes -= size(batch.map(({ record }) => record));
    for (const { offer } of batch) if (--offer.open === 0) offer.done?.();
  }

  #isClosed(): boolean {
    return this.#state === "closed";
  }

  #isFull(): boolean {
    return (
      this.#waiting.length >= this.#options.maxBatchRecords || this.#bytes >= this.#options.maxBatchBytes
    );
  }

  #isHurried(): boolean {
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

  async #giveUp(): Promise<void> {
    this.#state = "closed";
    this.#rest?.end();
    await this.#spilling;
    // Whether the last batch arrived is not known: it is sent again by the next process rather than lost.
    this.#putBack(this.#inFlight);
    this.#inFlight = [];
    clearTimeout(this.#postponeTimer);
    this.#waiting.push(...this.#postponed);
    this.#postponed = [];
    await this.#spillAll();
    if (this.#waiting.length > 0) this.#options.onDropped(this.#waiting.length, "closed");
    this.#waiting = [];
    this.#bytes = 0;
    for (const resolve of this.#flushers.splice(0)) resolve(false);
    await this.#spill?.close();
  }
}

/** The disk did not keep what is postponed: the block it is from is sent again. */
const notKept: SendResult = { outcome: "retry", error: "postponed records cannot be kept", retryAfterMs: 0 };

function size(records: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const record of records) bytes += record.length;
  return bytes;
}
