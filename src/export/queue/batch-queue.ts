import type { Backoff } from "../../support/structures/backoff.ts";
import { retryBackoff, verdictQueueLimits } from "./backend-down.ts";
import type { DropReason } from "../records/export-events.ts";
import { MemoryRecords, type WaitingRecord } from "./memory-records.ts";
import { Breaker } from "./breaker.ts";
import { DeliveryLoop } from "./delivery-loop.ts";
import type { DiskQueue } from "./disk-queue.ts";
import { failedAttempt, type SendResult } from "./send-result.ts";
import { DiskRecords, memoryBlock, type RecordBlock } from "./disk-records.ts";

export interface BatchQueueOptions {
  /** Sends one batch. The result contains the error; a rejection counts as a retryable failure. */
  readonly send: (records: readonly Uint8Array[]) => Promise<SendResult>;
  /**
   * Counts dropped records. Reasons: the queue is full, the backend refused them permanently, they cannot be read, or they were still in
   * memory when the queue was closed.
   * @param error the last error of records that failed for `maxElapsedMs`
   */
  readonly onDropped: (records: number, why: DropReason, error?: string) => void;
  readonly onSent: (records: number) => void;
  /** Counts the records that were moved to disk. */
  readonly onQueuedOnDisk?: (records: number) => void;
  /** Stores records while the backend is down or slow. Records in the disk queue survive a restart. If absent, records wait in memory. */
  readonly diskQueue?: DiskQueue | undefined;
  /** Maximum memory of waiting records in bytes. */
  readonly maxQueueBytes?: number;
  readonly maxBatchBytes?: number;
  readonly maxBatchRecords?: number;
  /** Maximum milliseconds that a record waits for its batch to fill. */
  readonly maxDelayMs?: number;
  readonly backoff?: Backoff;
  /** Milliseconds after which a record that the backend could not accept yet is sent again. */
  readonly postponeMs?: number;
  /**
   * Milliseconds after which a record that fails while others succeed is dropped. The default is Infinity: no record is dropped because it
   * fails.
   */
  readonly maxElapsedMs?: number;
}

const { toDiskAbove, behindAbove, requestsAtOnce, breakerOpensAfter, ...limits } = verdictQueueLimits;

const defaults = {
  ...limits,
  backoff: retryBackoff,
  onQueuedOnDisk: () => undefined,
  diskQueue: undefined,
  maxElapsedMs: Infinity,
};

/** One batch: a block on disk, or records in memory. */
type Batch = RecordBlock | readonly WaitingRecord[];

/**
 * Collects encoded records into batches, and sends one batch at a time. A failed batch is sent again before later records. If
 * `maxElapsedMs` is finite, a record that fails while others succeed is dropped after this time. Waiting records are limited in memory and
 * on disk. A breaker limits the attempts (`backend-down.ts`).
 */
export class BatchQueue {
  readonly #options: Required<Omit<BatchQueueOptions, "diskQueue">>;
  readonly #memory: MemoryRecords;
  /** Records on disk, which are sent before records in memory. */
  readonly #disk: DiskRecords;
  readonly #breaker: Breaker;
  readonly #loop: DeliveryLoop<Batch>;
  readonly #flushers: ((delivered: boolean) => void)[] = [];
  /** Time until which an incomplete batch waits for more records; Infinity if no incomplete batch waits. */
  #lingersUntilMs = Infinity;
  /** Timer that puts postponed records back at the end of the queue. */
  #postponeTimer: NodeJS.Timeout | undefined;
  #inFlight: readonly WaitingRecord[] = [];
  #movingToDisk: Promise<void> | undefined;
  #diskTimer: NodeJS.Timeout | undefined;
  /** Earliest time of the next disk write, after a failed write. */
  #diskAgainMs = 0;
  #state: "open" | "closing" | "closed" = "open";

  constructor(given: BatchQueueOptions) {
    const send: BatchQueueOptions["send"] = (records) => given.send(records).catch(failedAttempt);
    const { diskQueue, ...options } = { ...defaults, ...given, send };
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
      nextAtMs: () => Math.min(this.#lingersUntilMs, this.#disk.nextAtMs),
      send: (batch) => ("read" in batch ? this.#sendBlock(batch) : this.#sendBatch(batch)),
      settle: (_, result) => this.#settle(result),
    });
    this.#loop.start();
  }

  /** Number of waiting records in memory and on disk. */
  get records(): number {
    return this.#memory.records + this.#disk.records;
  }

  /** Bytes of the records in memory. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  get diskBytes(): number {
    return this.#disk.bytes;
  }

  /** Whether records arrive faster than the backend accepts them, so that producers should pause; false while the backend is down. */
  get isBehind(): boolean {
    const { maxQueueBytes } = this.#options;
    return (
      this.#state === "open" && !this.#breaker.isOpen && this.#memory.bytes > maxQueueBytes * behindAbove
    );
  }

  /**
   * Accepts all records or none, and returns at once. Returns false if the queue is full or closed.
   * @param done called when each of the records was delivered, stored on disk or dropped; not called if the process ends before this
   */
  offer(records: readonly Uint8Array[], done?: () => void): boolean {
    if (this.#state !== "open" || !this.#memory.add(records, done)) {
      this.#options.onDropped(records.length, this.#state === "open" ? "queue_full" : "closed");
      if (this.#state === "open") done?.();
      return false;
    }
    // While an incomplete batch waits for more records, a new record does not start the loop. So records that are offered in quick
    // succession are sent in one batch.
    if (this.#lingersUntilMs === Infinity || this.#memory.isBatchFull) this.#loop.start();
    if (this.#disk.hasDisk) this.#moveToDiskInTime();
    return true;
  }

  /**
   * Sends the waiting records now. Resolves when the queue is empty, except for postponed records, or when the first attempt has failed.
   */
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
   * Sends records until the queue is empty or the time-out is over; does not wait if the backend is down and there is a disk queue.
   * Remaining records move to disk, or are dropped and counted if the disk queue cannot store them.
   */
  async close(timeoutMs: number): Promise<void> {
    if (this.#state === "open") this.#state = "closing";
    clearTimeout(this.#diskTimer);
    this.#resumePostponed();
    if (!this.#mayWait()) this.#sendNow();
    await this.#loop.wait(() => !this.#hasWork() || this.#mayWait(), timeoutMs);
    await this.#giveUp();
  }

  /** Whether waiting records may stay in the disk queue and need not be sent now, because the breaker is open. */
  #mayWait(): boolean {
    return this.#disk.hasDisk && this.#breaker.isOpen;
  }

  #hasWork(): boolean {
    if (this.#state === "closed") return false;
    const { waiting, taken } = this.#memory;
    return this.#disk.hasBlocks || waiting + taken > 0;
  }

  #sendNow(): void {
    this.#breaker.resume();
    this.#loop.start();
  }

  #next(nowMs: number): Batch | undefined {
    const block = this.#disk.next() ?? this.#nextFailing(nowMs);
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

  /**
   * Returns a block that failed often; undefined if none is due. After a failure, and during `flush` or `close`, records in memory are sent
   * first.
   */
  #nextFailing(nowMs: number): RecordBlock | undefined {
    const isHurried = this.#isHurried();
    if (this.#memory.waiting > 0 && (isHurried || this.#breaker.failuresInRow > 0)) return undefined;
    return this.#disk.nextFailing(isHurried ? Infinity : nowMs);
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
    if (this.#state === "closed") return result;
    if (result.outcome === "retry") {
      this.#failed(block, result.error);
      return result;
    }
    const postponed = result.outcome === "delivered" ? (result.postponed ?? []) : [];
    if (postponed.length > 0 && !(await this.#postponeOnDisk(postponed))) return notKept;
    this.#disk.remove(block);
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
      if (this.#disk.hasDisk || this.#options.maxElapsedMs === Infinity) this.#memory.putBack(batch);
      else {
        const block = memoryBlock(batch, (records) => this.#memory.remove(records));
        this.#disk.addFirst(block);
        this.#failed(block, result.error);
      }
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

  #failed(block: RecordBlock, error: string): void {
    const { maxElapsedMs, backoff, onDropped } = this.#options;
    if (maxElapsedMs === Infinity) return;
    const { lastSuccessMs } = this.#breaker;
    const failure = { nowMs: performance.now(), lastSuccessMs, maxElapsedMs, backoff };
    if (!this.#disk.failed(block, failure)) return;
    this.#disk.remove(block);
    onDropped(block.records, "expired", error);
  }

  /** Postpones records on disk. Returns false if there is no disk queue, or the write fails. */
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

  /** Moves records to disk if the backend is down or the memory fills. */
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
    // It is unknown whether the batch in flight was delivered. With a disk queue, the batch moves to disk, and the next process sends it
    // again. Without one, the batch is dropped.
    this.#memory.putBack([...this.#disk.takeInMemory(), ...this.#inFlight]);
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

/** Result for a batch whose postponed records could not be written to disk. All records of the batch are sent again. */
const notKept: SendResult = {
  outcome: "retry",
  error:
    "records that the backend cannot accept yet could not be written to the disk queue, so the batch is sent again",
  retryAfterMs: 0,
};
