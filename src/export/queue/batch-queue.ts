import type { Backoff } from "../../support/structures/backoff.ts";
import { retryBackoff, verdictQueueLimits } from "./backend-down.ts";
import type { DropReason } from "../records/export-events.ts";
import { MemoryRecords, type WaitingRecord } from "./memory-records.ts";
import { Breaker } from "./breaker.ts";
import { DeliveryLoop } from "./delivery-loop.ts";
import type { DiskQueue } from "./disk-queue.ts";
import type { SendResult } from "./send-result.ts";
import { type RecordBlock, DiskRecords } from "./disk-records.ts";

export interface BatchQueueOptions {
  /** Sends one batch. The function reports errors and never throws. */
  readonly send: (records: readonly Uint8Array[]) => Promise<SendResult>;
  /**
   * Called with the number of dropped records and the reason: no room, permanently refused, unreadable, or
   * left at the end.
   */
  readonly onDropped: (records: number, why: DropReason) => void;
  readonly onSent: (records: number) => void;
  /** Called with the number of records that were moved to the disk queue. */
  readonly onQueuedOnDisk?: (records: number) => void;
  /**
   * Disk queue for records while the backend is down or slow; it survives a restart. Without a disk queue,
   * records wait in memory.
   */
  readonly diskQueue?: DiskQueue | undefined;
  /** Memory limit in bytes. */
  readonly maxQueueBytes?: number;
  readonly maxBatchBytes?: number;
  readonly maxBatchRecords?: number;
  /** Maximum wait of a record for others in its batch, in milliseconds. */
  readonly maxDelayMs?: number;
  readonly backoff?: Backoff;
  /** Pause in milliseconds for records that the backend could not accept yet. */
  readonly postponeMs?: number;
}

const { toDiskAbove, behindAbove, requestsAtOnce, breakerOpensAfter, ...limits } = verdictQueueLimits;

const defaults = { ...limits, backoff: retryBackoff, onQueuedOnDisk: () => undefined, diskQueue: undefined };

/** One batch: a block from disk, or records from memory. */
type Batch = RecordBlock | readonly WaitingRecord[];

/**
 * Collects encoded records into batches and sends one batch at a time. An undelivered batch is sent first
 * again. The waiting records are bounded in memory and on disk. A breaker limits attempts to a failing
 * backend (`backend-down.ts`).
 */
export class BatchQueue {
  readonly #options: Required<Omit<BatchQueueOptions, "diskQueue">>;
  readonly #memory: MemoryRecords;
  /** Records on disk; they are sent before the records in memory. */
  readonly #disk: DiskRecords;
  readonly #breaker: Breaker;
  readonly #loop: DeliveryLoop<Batch>;
  readonly #flushers: ((delivered: boolean) => void)[] = [];
  /** Time until which an incomplete batch waits for more records. */
  #lingersUntilMs = Infinity;
  /** Timer that moves records the backend could not accept yet to the end of the queue. */
  #postponeTimer: NodeJS.Timeout | undefined;
  #inFlight: readonly WaitingRecord[] = [];
  #movingToDisk: Promise<void> | undefined;
  #diskTimer: NodeJS.Timeout | undefined;
  /** Time of the next disk write after a failed one; until then records stay in memory. */
  #diskAgainMs = 0;
  #state: "open" | "closing" | "closed" = "open";

  constructor(given: BatchQueueOptions) {
    const { diskQueue, ...options } = { ...defaults, ...given };
    this.#options = options;
    this.#memory = new MemoryRecords(options);
    this.#disk = new DiskRecords(diskQueue);
    this.#breaker = new Breaker({
      atOnce: requestsAtOnce,
      opensAfter: breakerOpensAfter,
      backoff: options.backoff,
    });
    this.#loop = new DeliveryLoop<Batch>({
      breaker: this.#breaker,
      next: (nowMs) => this.#next(nowMs),
      nextAtMs: () => this.#lingersUntilMs,
      send: (batch) => ("read" in batch ? this.#sendBlock(batch) : this.#sendBatch(batch)),
      settle: (_, result) => this.#settle(result),
    });
    this.#loop.start();
  }

  /** Number of waiting records in memory and on disk. */
  get records(): number {
    return this.#memory.records + this.#disk.records;
  }

  /** Waiting bytes in memory. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  get diskBytes(): number {
    return this.#disk.bytes;
  }

  /** Whether records arrive faster than a working backend accepts them, so that the producer should pause. */
  get isBehind(): boolean {
    const { maxQueueBytes } = this.#options;
    return (
      this.#state === "open" && !this.#breaker.isOpen && this.#memory.bytes > maxQueueBytes * behindAbove
    );
  }

  /**
   * Accepts all records or none; returns false if the queue is full. The function returns at once. `done` is
   * called when the last record is delivered, stored on disk or dropped. `done` is not called for records
   * that are left in memory at the end.
   */
  offer(records: readonly Uint8Array[], done?: () => void): boolean {
    if (this.#state !== "open" || !this.#memory.add(records, done)) {
      this.#options.onDropped(records.length, this.#state === "open" ? "queue_full" : "closed");
      if (this.#state === "open") done?.();
      return false;
    }
    // Only the timer ends a batch that waits for more records, so that records offered together are sent
    // together.
    if (this.#lingersUntilMs === Infinity || this.#memory.isBatchFull) this.#loop.start();
    if (this.#disk.hasDisk) this.#moveToDiskInTime();
    return true;
  }

  /** Sends the waiting records. Resolves when the queue is empty or a batch could not be delivered. */
  async flush(): Promise<void> {
    while (this.#hasWork()) {
      const delivered = await new Promise<boolean>((resolve) => {
        this.#flushers.push(resolve);
        this.#sendNow();
      });
      if (!delivered) return;
    }
  }

  /**
   * Retries until everything is sent or the time-out is over. The rest stays on disk, or is dropped and
   * counted.
   */
  async close(timeoutMs: number): Promise<void> {
    if (this.#state === "open") this.#state = "closing";
    clearTimeout(this.#diskTimer);
    this.#resumePostponed();
    if (!this.#mayWait()) this.#sendNow();
    await this.#loop.wait(() => !this.#hasWork() || this.#mayWait(), timeoutMs);
    await this.#giveUp();
  }

  /** Whether the waiting records can move to disk, because the backend does not accept them anyway. */
  #mayWait(): boolean {
    return this.#disk.hasDisk && this.#breaker.isOpen;
  }

  #hasWork(): boolean {
    if (this.#state === "closed") return false;
    const { waiting, taken } = this.#memory;
    return this.#disk.first !== undefined || waiting + taken > 0;
  }

  #sendNow(): void {
    this.#breaker.resume();
    this.#loop.start();
  }

  #next(nowMs: number): Batch | undefined {
    const block = this.#disk.first;
    const isEmpty = this.#memory.waiting === 0;
    const isDue = isEmpty || this.#memory.isBatchFull || this.#isHurried() || nowMs >= this.#lingersUntilMs;
    if (block === undefined && !isDue) {
      this.#lingersUntilMs = Math.min(this.#lingersUntilMs, nowMs + this.#options.maxDelayMs);
      return undefined;
    }
    this.#lingersUntilMs = Infinity;
    if (block !== undefined) return block;
    return isEmpty ? undefined : this.#memory.takeBatch();
  }

  #settle(result: SendResult): void {
    if (this.#state === "closed") return;
    for (const resolve of this.#flushers.splice(0)) resolve(result.outcome !== "retry");
    if (result.outcome === "retry" && this.#disk.hasDisk) void this.#moveToDisk();
  }

  async #sendBlock(block: RecordBlock): Promise<SendResult> {
    const { send, onSent, onDropped } = this.#options;
    const count = block.records;
    const records = await block.read();
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

  /** Stores postponed records on disk. Returns false without a disk queue, or if the write failed. */
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
    this.#loop.start();
  }

  /** Moves records to disk if the backend is down or slow. */
  #moveToDiskInTime(): void {
    if (performance.now() < this.#diskAgainMs) return;
    const { maxQueueBytes, maxDelayMs } = this.#options;
    const isFailing = this.#breaker.isOpen;
    if (this.#memory.bytes > maxQueueBytes * toDiskAbove || (isFailing && this.#memory.isBatchFull)) {
      void this.#moveToDisk();
    } else if (isFailing) {
      this.#diskTimer ??= setTimeout(() => {
        this.#diskTimer = undefined;
        if (this.#breaker.isOpen) void this.#moveToDisk();
      }, maxDelayMs).unref();
    }
  }

  #moveToDisk(): Promise<void> {
    this.#movingToDisk ??= this.#moveAllToDisk().finally(() => {
      this.#movingToDisk = undefined;
      this.#loop.start();
    });
    return this.#movingToDisk;
  }

  async #moveAllToDisk(): Promise<void> {
    while (this.#memory.waiting > 0 && this.#disk.hasDisk) {
      const batch = this.#memory.takeBatch();
      if (!(await this.#disk.add(batch.map(({ record }) => record)))) {
        this.#memory.putBack(batch);
        this.#diskAgainMs = performance.now() + this.#options.maxDelayMs;
        return;
      }
      this.#options.onQueuedOnDisk(batch.length);
      this.#memory.remove(batch);
    }
  }

  #isClosed(): boolean {
    return this.#state === "closed";
  }

  #isHurried(): boolean {
    return this.#state !== "open" || this.#flushers.length > 0;
  }

  async #giveUp(): Promise<void> {
    this.#state = "closed";
    this.#loop.stop();
    await this.#movingToDisk;
    // It is unknown whether the last batch was delivered. The next process sends the batch again, so that it
    // is not lost.
    this.#memory.putBack(this.#inFlight);
    this.#inFlight = [];
    clearTimeout(this.#postponeTimer);
    this.#memory.resumeAside();
    await this.#moveAllToDisk();
    const left = this.#memory.clear();
    if (left > 0) this.#options.onDropped(left, "closed");
    for (const resolve of this.#flushers.splice(0)) resolve(false);
    await this.#disk.close();
  }
}

/** Postponed records could not be stored on disk, so their whole block is sent again. */
const notKept: SendResult = {
  outcome: "retry",
  error: "postponed records cannot be written to the queue",
  retryAfterMs: 0,
};
