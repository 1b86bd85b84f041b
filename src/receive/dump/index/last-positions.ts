import { firstSlot, type Mark, type SharedIndex, type TraceIdWords } from "./trace-index.ts";

const WORDS = 4;
/** Number of ids in one block. */
const BLOCK = 1 << 14;
const FREE = -1;
/**
 * Number of first traces at each of which a reader can start, so that small dumps can be divided, too. After these, a reader can start only
 * at every `MARK_EVERY`th trace.
 */
const ALL_MARKED = 1_000;
const MARK_EVERY = 64;

interface Block {
  readonly ids: Int32Array;
  readonly last: Float64Array;
  /** Number of ids in the block that `take` has not returned. */
  left: number;
}

/**
 * Last position of each trace id in the dumps. Needs 32 to 40 bytes for each trace. Ids are stored in blocks. A block is never copied, and
 * is freed when all its ids were returned, so the index causes little garbage.
 */
export class LastPositions {
  readonly #blocks: (Block | undefined)[] = [];
  /** Hash table with open addressing; its values are the sequence numbers of ids, in order of first occurrence. */
  #table: Int32Array = new Int32Array(1 << 12).fill(FREE);
  #count = 0;
  /** Sequence numbers of the ids, sorted by last position; undefined if the ids already are in this order. */
  #order: Uint32Array | undefined;
  #isComplete = false;
  #taken = 0;
  readonly #isShared: boolean;
  readonly #marks: Mark[] = [];
  #file = 0;

  /** @param isShared whether the memory is shared between threads */
  constructor(isShared = false) {
    this.#isShared = isShared;
  }

  get traces(): number {
    return this.#count;
  }

  /** Records that the id in `words` occurs at `position`. Callers pass positions in ascending order. */
  note(words: Int32Array, position: number): void {
    if (this.#count * 2 > this.#table.length) this.#grow();
    const slot = this.#slot(words, 0);
    let number = this.#table[slot] ?? FREE;
    if (number === FREE) {
      const isMarked = this.#count < ALL_MARKED || this.#count % MARK_EVERY === 0;
      if (this.#isShared && isMarked) this.#mark(position);
      this.#table[slot] = number = this.#add(words);
    }
    const block = this.#blocks[Math.floor(number / BLOCK)];
    if (block !== undefined) block.last[number % BLOCK] = position;
  }

  /** Begins the next file. `position`: the file's first byte, as a position in all dumps. */
  beginFile(file: number, position: number): void {
    this.#file = file;
    this.#mark(position);
  }

  #mark(position: number): void {
    this.#marks.push({ position, traces: this.#count, file: this.#file });
  }

  /** Returns the part of the index that other threads need. Call it before the first `take`. */
  shared(): SharedIndex {
    const blocks = this.#blocks.flatMap((block) => block ?? []);
    return {
      traces: this.#count,
      ids: blocks.map(({ ids }) => ids),
      last: blocks.map(({ last }) => last),
      blockLength: BLOCK,
      table: this.#table,
      marks: this.#marks,
    };
  }

  /** Returns the traces whose last position is at most `position`, sorted by last position. Each trace is returned once. */
  take(position: number): TraceIdWords[] {
    if (!this.#isComplete) this.#complete();
    const ended: TraceIdWords[] = [];
    for (; this.#taken < this.#count; this.#taken++) {
      const number = this.#order?.[this.#taken] ?? this.#taken;
      if (this.#lastOf(number) > position) break;
      ended.push(this.#give(number));
    }
    return ended;
  }

  #give(number: number): TraceIdWords {
    const index = Math.floor(number / BLOCK);
    const block = this.#blocks[index];
    if (block === undefined) return [0, 0, 0, 0];
    if (--block.left === 0) this.#blocks[index] = undefined;
    const at = (number % BLOCK) * WORDS;
    const { ids } = block;
    return [ids[at] ?? 0, ids[at + 1] ?? 0, ids[at + 2] ?? 0, ids[at + 3] ?? 0];
  }

  #add(words: Int32Array): number {
    const number = this.#count++;
    if (number % BLOCK === 0)
      this.#blocks.push({
        ids: new Int32Array(this.#memory(BLOCK * WORDS * 4)),
        last: new Float64Array(this.#memory(BLOCK * 8)),
        left: 0,
      });
    const block = this.#blocks[Math.floor(number / BLOCK)];
    if (block === undefined) return number;
    block.ids.set(words, (number % BLOCK) * WORDS);
    block.left++;
    return number;
  }

  #memory(bytes: number): ArrayBuffer | SharedArrayBuffer {
    return this.#isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  }

  #lastOf(number: number): number {
    return this.#blocks[Math.floor(number / BLOCK)]?.last[number % BLOCK] ?? 0;
  }

  #complete(): void {
    this.#isComplete = true;
    this.#table = new Int32Array(0);
    if (this.#isInOrder()) return;
    const numbers = new Uint32Array(this.#count).map((_, number) => number);
    this.#order = numbers.sort((a, b) => this.#lastOf(a) - this.#lastOf(b));
  }

  /** Whether the ids are already sorted by last position, as in most dumps. */
  #isInOrder(): boolean {
    for (let number = 1; number < this.#count; number++)
      if (this.#lastOf(number) < this.#lastOf(number - 1)) return false;
    return true;
  }

  /** Returns the table slot that contains the id, or the free slot for it. */
  #slot(words: Int32Array, at: number): number {
    const mask = this.#table.length - 1;
    let slot = firstSlot(words, at, this.#table.length);
    for (;;) {
      const number = this.#table[slot] ?? FREE;
      if (number === FREE || this.#same(number, words, at)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #same(number: number, words: Int32Array, at: number): boolean {
    const ids = this.#blocks[Math.floor(number / BLOCK)]?.ids;
    const own = (number % BLOCK) * WORDS;
    for (let i = 0; i < WORDS; i++) if (ids?.[own + i] !== words[at + i]) return false;
    return true;
  }

  #grow(): void {
    this.#table = new Int32Array(this.#memory(this.#table.length * 2 * 4)).fill(FREE);
    for (let number = 0; number < this.#count; number++) {
      const ids = this.#blocks[Math.floor(number / BLOCK)]?.ids;
      if (ids !== undefined) this.#table[this.#slot(ids, (number % BLOCK) * WORDS)] = number;
    }
  }
}
