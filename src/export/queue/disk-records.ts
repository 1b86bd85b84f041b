import { type Backoff, backoffMs } from "../../support/structures/backoff.ts";
import { failedBatchLimits } from "./backend-down.ts";
import type { StoredBlock, DiskQueue } from "./disk-queue.ts";
import { FailedAttempts } from "./failed-attempts.ts";
import type { WaitingRecord } from "./memory-records.ts";

/** A block of records that is sent as one batch. */
export interface RecordBlock extends StoredBlock<readonly Uint8Array[]> {
  /** Set if the block is only in memory: its records, and a function that removes records from memory. */
  readonly inMemory?: {
    readonly waiting: readonly WaitingRecord[];
    readonly remove: (records: readonly WaitingRecord[]) => void;
  };
}

/** A failed attempt to send a block. */
export interface BlockFailure {
  readonly nowMs: number;
  /** Time at which the backend last accepted a request. */
  readonly lastSuccessMs: number;
  /** Milliseconds after which a record is dropped if its failures count against it (`FailedAttempts`). */
  readonly maxElapsedMs: number;
  readonly backoff: Backoff;
}

/**
 * Blocks of records that wait on disk, and survive a restart. Without a disk queue, `add` stores nothing, and this class contains only
 * failed blocks, which are in memory.
 */
export class DiskRecords {
  readonly #disk: DiskQueue | undefined;
  readonly #blocks: RecordBlock[];
  readonly #failed = new WeakMap<RecordBlock, FailedAttempts>();
  #aside: RecordBlock[] = [];
  /** `#splits`: number of blocks that were split since the last success. `#splitsSinceMs`: time of this success. */
  #splits = 0;
  #splitsSinceMs = -Infinity;

  constructor(disk: DiskQueue | undefined) {
    this.#disk = disk;
    this.#blocks = [...(disk?.recovered ?? [])];
  }

  get hasDisk(): boolean {
    return this.#disk !== undefined;
  }

  get hasBlocks(): boolean {
    return this.#blocks.length > 0;
  }

  /** Number of records on disk. */
  get records(): number {
    return this.#onDisk().reduce((sum, { records }) => sum + records, 0);
  }

  get bytes(): number {
    return this.#onDisk().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Returns the next block; undefined if there is none. Skips blocks that failed so often that they moved to the end of the queue. */
  next(): RecordBlock | undefined {
    return this.#blocks.find((block) => !this.#isMoved(block));
  }

  /** Returns a block that failed often and whose next attempt is due at `nowMs`; undefined if none is due. */
  nextFailing(nowMs: number): RecordBlock | undefined {
    return this.#blocks.find((block) => this.#isMoved(block) && this.#notBeforeMs(block) <= nowMs);
  }

  /** Earliest time at which a block may be sent; Infinity if there are no blocks. */
  get nextAtMs(): number {
    return this.#blocks.reduce((first, block) => Math.min(first, this.#notBeforeMs(block)), Infinity);
  }

  /** Stores records as one block. Resolves to false if the records cannot be stored. */
  async add(records: readonly Uint8Array[]): Promise<boolean> {
    return this.#addTo(this.#blocks, records);
  }

  /** Adds a block at the head of the queue. The block is only in memory. */
  addFirst(block: RecordBlock): void {
    this.#blocks.unshift(block);
  }

  /** Stores records as one block that is not sent until `resumeAside` is called. Resolves to false if the records cannot be stored. */
  async setAside(records: readonly Uint8Array[]): Promise<boolean> {
    return this.#addTo(this.#aside, records);
  }

  resumeAside(): void {
    this.#blocks.push(...this.#aside.splice(0));
  }

  remove(block: RecordBlock): void {
    this.#take(block);
    block.done();
  }

  /** Removes and returns the records of all blocks that are only in memory. */
  takeInMemory(): readonly WaitingRecord[] {
    const found = this.#blocks.filter(({ inMemory }) => inMemory !== undefined);
    for (const block of found) this.#take(block);
    return found.flatMap(({ inMemory }) => inMemory?.waiting ?? []);
  }

  /**
   * Decides what happens to a block after a failed attempt. The block stays at the head of the queue, moves to the end so that other blocks
   * are tried, or is split. Returns true if the block must be dropped; it then contains a single record.
   */
  failed(block: RecordBlock, failure: BlockFailure): boolean {
    const { nowMs, lastSuccessMs, maxElapsedMs, backoff } = failure;
    const attempts = this.#failed.get(block) ?? new FailedAttempts();
    this.#failed.set(block, attempts);
    const isCounted = attempts.add(nowMs, lastSuccessMs);
    if (block.records > 1 && (isCounted || this.#maySplit(attempts, lastSuccessMs))) {
      this.#split(block, attempts);
    } else if (isCounted && attempts.isOver(nowMs, maxElapsedMs)) return true;
    else if (attempts.tries >= failedBatchLimits.movesAfter) {
      this.#take(block);
      this.#blocks.push(block);
      attempts.notBeforeMs = nowMs + backoffMs(attempts.tries, Math.random(), backoff);
    }
    return false;
  }

  /**
   * Whether a block may be split although no other block has succeeded. The halves show whether the backend accepts some of the records.
   */
  #maySplit({ tries }: FailedAttempts, lastSuccessMs: number): boolean {
    if (lastSuccessMs > this.#splitsSinceMs) {
      this.#splits = 0;
      this.#splitsSinceMs = lastSuccessMs;
    }
    return tries >= failedBatchLimits.splitsAfter && this.#splits++ < failedBatchLimits.mostSplits;
  }

  async close(): Promise<void> {
    await this.#disk?.close();
  }

  #split(block: RecordBlock, attempts: FailedAttempts): void {
    this.#take(block);
    const halves = halvesOf(block);
    for (const half of halves) this.#failed.set(half, attempts.copy());
    const [first, second] = halves;
    // The first half is tried next, and split again if it fails. So a single record is soon tried alone.
    this.#blocks.unshift(first);
    this.#blocks.push(second);
  }

  #isMoved(block: RecordBlock): boolean {
    return (this.#failed.get(block)?.tries ?? 0) >= failedBatchLimits.movesAfter;
  }

  #take(block: RecordBlock): void {
    const at = this.#blocks.indexOf(block);
    if (at !== -1) this.#blocks.splice(at, 1);
  }

  #notBeforeMs(block: RecordBlock): number {
    return this.#failed.get(block)?.notBeforeMs ?? -Infinity;
  }

  #onDisk(): readonly RecordBlock[] {
    return [...this.#blocks, ...this.#aside].filter(({ inMemory }) => inMemory === undefined);
  }

  async #addTo(blocks: RecordBlock[], records: readonly Uint8Array[]): Promise<boolean> {
    if (this.#disk === undefined) return false;
    try {
      blocks.push(await this.#disk.add(records));
      return true;
    } catch {
      return false; // The disk queue has already reported the error.
    }
  }
}

/**
 * Returns a block of records that is only in memory.
 * @param remove called with records that were sent or dropped
 */
export function memoryBlock(
  waiting: readonly WaitingRecord[],
  remove: (records: readonly WaitingRecord[]) => void,
): RecordBlock {
  return {
    records: waiting.length,
    bytes: 0,
    inMemory: { waiting, remove },
    read: () => Promise.resolve(waiting.map(({ record }) => record)),
    done: () => remove(waiting),
  };
}

/** Splits a block in two. The block is removed from disk when both halves are sent or dropped. */
function halvesOf(block: RecordBlock): readonly [RecordBlock, RecordBlock] {
  const { records, bytes, inMemory } = block;
  const middle = Math.ceil(records / 2);
  if (inMemory !== undefined) {
    const { waiting, remove } = inMemory;
    return [memoryBlock(waiting.slice(0, middle), remove), memoryBlock(waiting.slice(middle), remove)];
  }
  const firstBytes = Math.ceil((bytes * middle) / records);
  let open = 2;
  const half = (from: number, to: number, halfBytes: number): RecordBlock => ({
    records: to - from,
    bytes: halfBytes,
    read: async () => (await block.read())?.slice(from, to) ?? null,
    done: () => {
      if (--open === 0) block.done();
    },
  });
  return [half(0, middle, firstBytes), half(middle, records, bytes - firstBytes)];
}
