import { type Backoff, deliveryBackoff } from "../../support/structures/backoff.ts";
import type { DropReason } from "../records/export-events.ts";
import { BoundedRecords, type WaitingRecord } from "./bounded-records.ts";
import { Breaker } from "./breaker.ts";
import type { DiskQueue } from "./disk-queue.ts";
import { SpilledRecords } from "./spilled-records.ts";
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
  readonly backoff?: Backoff;
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
  /** More records come than are sent, to a backend that takes them: the producer should pause. */
  readonly isBehind: boolean;
}

const defaults = {
  maxQueueBytes: 16 * 1024 * 1024,
  maxBatchBytes: 1024 * 1024,
  maxBatchRecords: 1024,
  maxDelayMs: 1000,
  backoff: deliveryBackoff,
  postponeMs: 5000,
  onSpilled: () => undefined,
  spill: undefined,
};

/**
 * Collects encoded records into batches and sends them one batch after another; a batch that was not delivered goes first again. What waits is
 * bounded in memory and spills to the disk; a breaker says how long a backend that fails is left alone.
 */
export function createBatchQueue(options: BatchQueueOptions): BatchQueue {
  return new Queue({ ...defaults, ...options });
}

class Queue implements BatchQueue {
  readonly #options: Required<Omit<BatchQueueOptions, "spill">>;
  readonly #memory: BoundedRecords;
  /** They came before what waits in memory. */
  readonly #disk: SpilledRecords;
  readonly #breaker: Breaker;
  readonly #flushers: ((delivered: boolean) => void)[] = [];
  /** Puts what the backend could not take yet at the end of the queue. */
  #postponeTimer: NodeJS.Timeout | undefined;
  #inFlight: readonly WaitingRecord[] = [];
  #worker: Promise<void> | undefined;
  #spilling: Promise<void> | undefined;
  #spillTimer: NodeJS.Timeout | undefined;
  /** The disk did not take it: what comes waits in memory for now. */
  #spillsAgainMs = 0;
  #pausing: { readonly reason: "linger" | "backoff"; readonly end: () => void } | undefined;
  #state: "open" | "closing" | "closed" = "open";

  constructor({ spill, ...options }: Required<BatchQueueOptions>) {
    this.#options = options;
    this.#memory = new BoundedRecords(options);
    this.#disk = new SpilledRecords(spill);
    this.#breaker = new Breaker(options.backoff);
    if (this.#disk.first !== undefined) this.#start();
  }

  get records(): number {
    return this.#memory.records + this.#disk.records;
  }

  get bytes(): number {
    return this.#memory.bytes;
  }

  get diskBytes(): number {
    return this.#disk.bytes;
  }

  get isBehind(): boolean {
    const { maxQueueBytes } = this.#options;
    return this.#state === "open" && !this.#breaker.isOpen && this.#memory.bytes > maxQueueBytes / 2;
  }

  offer(records: readonly Uint8Array[], done?: () => void): boolean {
    if (this.#state !== "open" || !this.#memory.add(records, done)) {
      this.#options.onDropped(records.length, this.#state === "open" ? "queue_full" : "closed");
      if (this.#state === "open") done?.();
      return false;
    }
    this.#start();
    if (this.#memory.isBatchFull && this.#pausing?.reason === "linger") this.#pausing.end();
    if (this.#disk.hasDisk) this.#spillInTime();
    return true;
  }

  async flush(): Promise<void> {
    while (this.#hasWork() || this.#memory.taken > 0) {
      const delivered = await new Promise<boolean>((resolve) => {
        this.#flushers.push(resolve);
        this.#start();
        this.#pausing?.end();
      });
      if (!delivered) return;
    }
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.#state === "open") this.#state = "closing";
    clearTimeout(this.#spillTimer);
    this.#resumePostponed();
    this.#pausing?.end();
    const deadline = timer(timeoutMs, { keepsProcess: true });
    while (this.#worker !== undefined && !deadline.over && !this.#mayWait())
      await Promise.race([this.#worker, deadline.promise]);
    deadline.cancel();
    await this.#giveUp();
  }

  /** Whether what waits can do so on the disk, because its backend does not take it anyway. */
  #mayWait(): boolean {
    return this.#disk.hasDisk && this.#breaker.isOpen;
  }

  #start(): void {
    this.#worker ??= this.#work().finally(() => {
      this.#worker = undefined;
      if (this.#hasWork()) this.#start();
    });
  }

  #hasWork(): boolean {
    if (this.#state === "closed") return false;
    return this.#disk.first !== undefined || this.#memory.waiting > 0 || this.#spilling !== undefined;
  }

  async #work(): Promise<void> {
    while (this.#hasWork()) {
      const result = await this.#sendNext();
      if (this.#state === "closed") return;
      if (result === null) continue;
      for (const resolve of this.#flushers.splice(0)) resolve(result.outcome !== "retry");
      if (result.outcome !== "retry") {
        this.#breaker.succeeded();
        continue;
      }
      const waitMs = this.#breaker.failed(result.retryAfterMs);
      if (this.#disk.hasDisk) void this.#spillWaiting();
      if (this.#state === "closing" && this.#mayWait()) return;
      await this.#pause("backoff", waitMs);
    }
  }

  /** Null when there was nothing to send after all. */
  async #sendNext(): Promise<SendResult | null> {
    if (this.#disk.first !== undefined) return this.#sendBlock(this.#disk.first.records);
    if (this.#memory.waiting === 0) {
      await this.#spilling;
      return null;
    }
    if (!this.#memory.isBatchFull && !this.#isHurried())
      await this.#pause("linger", this.#options.maxDelayMs);
    const isOver = this.#state === "closed" || this.#memory.waiting === 0;
    if (isOver || this.#disk.first !== undefined) return null;
    return this.#sendBatch(this.#memory.takeBatch());
  }

  /** @param count of the records in the first block on the disk */
  async #sendBlock(count: number): Promise<SendResult> {
    const { send, onSent, onDropped } = this.#options;
    const records = await this.#disk.readFirst();
    const result: SendResult =
      records === null ? { outcome: "rejected", error: "unreadable" } : await send(records);
    if (result.outcome === "retry" || this.#state === "closed") return result;
    const postponed = result.outcome === "delivered" ? (result.postponed ?? []) : [];
    if (postponed.length > 0 && !(await this.#postponeOnDisk(postponed))) return notKept;
    this.#disk.removeFirst();
    if (records === null) onDropped(count, "unreadable");
    else if (result.outcome === "delivered") onSent(count - (result.rejected ?? 0) - postponed.length);
    else onDropped(count, "rejected");
    return result;
  }

  async #sendBatch(batch: readonly WaitingRecord[]): Promise<SendResult> {
    this.#inFlight = batch;
    const result = await this.#options.send(batch.map(({ record }) => record));
    if (this.#state === "closed") return result;
    if (result.outcome === "retry") {
      this.#inFlight = [];
      this.#memory.putBack(batch);
      return result;
    }
    const again = new Set(result.outcome === "delivered" ? result.postponed : []);
    const later = batch.filter(({ record }) => again.has(record));
    const onDisk = later.length === 0 || (await this.#postponeOnDisk([...again]));
    if (this.#isClosed()) return result;
    this.#inFlight = [];
    const sent = batch.length - later.length;
    if (result.outcome === "delivered") this.#options.onSent(sent - (result.rejected ?? 0));
    else this.#options.onDropped(sent, "rejected");
    this.#memory.remove(onDisk ? batch : batch.filter(({ record }) => !again.has(record)));
    if (!onDisk) {
      this.#memory.setAside(later);
      this.#postpone();
    }
    return result;
  }

  /** False when there is no disk, or it did not take them. */
  async #postponeOnDisk(records: readonly Uint8Array[]): Promise<boolean> {
    const isKept = await this.#disk.setAside(records);
    if (isKept) this.#postpone();
    return isKept;
  }

  #postpone(): void {
    if (this.#state !== "open") return;
    this.#postponeTimer ??= setTimeout(() => this.#resumePostponed(), this.#options.postponeMs).unref();
  }

  #resumePostponed(): void {
    clearTimeout(this.#postponeTimer);
    this.#postponeTimer = undefined;
    this.#disk.resumeAside();
    this.#memory.resumeAside();
    if (this.#hasWork()) this.#start();
  }

  /** Puts on the disk what a backend that is down or slow would let pile up. */
  #spillInTime(): void {
    if (performance.now() < this.#spillsAgainMs) return;
    const { maxQueueBytes, maxDelayMs } = this.#options;
    const isFailing = this.#breaker.isOpen;
    if (this.#memory.bytes > maxQueueBytes / 4 || (isFailing && this.#memory.isBatchFull)) {
      void this.#spillWaiting();
    } else if (isFailing) {
      this.#spillTimer ??= setTimeout(() => {
        this.#spillTimer = undefined;
        if (this.#breaker.isOpen) void this.#spillWaiting();
      }, maxDelayMs).unref();
    }
  }

  #spillWaiting(): Promise<void> {
    this.#spilling ??= this.#spillAll().finally(() => {
      this.#spilling = undefined;
    });
    return this.#spilling;
  }

  async #spillAll(): Promise<void> {
    while (this.#memory.waiting > 0 && this.#disk.hasDisk) {
      const batch = this.#memory.takeBatch();
      if (!(await this.#disk.add(batch.map(({ record }) => record)))) {
        this.#memory.putBack(batch);
        this.#spillsAgainMs = performance.now() + this.#options.maxDelayMs;
        return;
      }
      this.#options.onSpilled(batch.length);
      this.#memory.remove(batch);
    }
  }

  #isClosed(): boolean {
    return this.#state === "closed";
  }

  #isHurried(): boolean {
    return this.#state !== "open" || this.#flushers.length > 0;
  }

  async #pause(reason: "linger" | "backoff", delayMs: number): Promise<void> {
    const wait = timer(delayMs);
    this.#pausing = { reason, end: wait.cancel };
    await wait.promise;
    this.#pausing = undefined;
  }

  async #giveUp(): Promise<void> {
    this.#state = "closed";
    this.#pausing?.end();
    await this.#spilling;
    // Whether the last batch arrived is not known: it is sent again by the next process rather than lost.
    this.#memory.putBack(this.#inFlight);
    this.#inFlight = [];
    clearTimeout(this.#postponeTimer);
    this.#memory.resumeAside();
    await this.#spillAll();
    const left = this.#memory.clear();
    if (left > 0) this.#options.onDropped(left, "closed");
    for (const resolve of this.#flushers.splice(0)) resolve(false);
    await this.#disk.close();
  }
}

/** The disk did not keep what is postponed: the block it is from is sent again. */
const notKept: SendResult = { outcome: "retry", error: "postponed records cannot be kept", retryAfterMs: 0 };
