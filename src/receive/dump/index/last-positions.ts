import { firstSlot, type Mark, type SharedIndex, type TraceIdWords } from "./trace-index.ts";

const WORDS = 4;
/** Ids to a block. */
const BLOCK = 1 << 14;
const FREE = -1;
/** The first traces have a mark each, so that small dumps can be cut as well; then one is made for so many. */
const ALL_MARKED = 1_000;
const MARK_EVERY = 64;

interface Block {
  readonly ids: Int32Array;
  readonly last: Float64Array;
  /** Ids that were not given yet. */
  left: number;
}

/**
 * Where in the dumps each trace id occurs last. 32 to 40 bytes a trace: ids stay where they were noted, only the table of their numbers is made
 * anew as it grows, so that little is left behind for the garbage collector. A block is released once all of its ids were given.
 */
export class LastPositions {
  readonly #blocks: (Block | undefined)[] = [];
  /** Numbers of ids, by open addressing. */
  #table: Int32Array = new Int32Array(1 << 12).fill(FREE);
  #count = 0;
  /** Numbers by position, once all are noted and where that is another order than their own. */
  #order: Uint32Array | undefined;
  #isComplete = false;
  #taken = 0;
  readonly #isShared: boolean;
  readonly #marks: Mark[] = [];
  #file = 0;

  /** `isShared`: in memory that threads share. */
  constructor(isShared = false) {
    this.#isShared = isShared;
  }

  get traces(): number {
    return this.#count;
  }

  /** Records that the id in the four words of `words` occurs at `position`. Positions only grow. */
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

  /** What follows is of the next file, which begins at `position`. */
  beginFile(file: number, position: number): void {
    this.#file = file;
    this.#mark(position);
  }

  #mark(position: number): void {
    this.#marks.push({ position, traces: this.#count, file: this.#file });
  }

  /** The part that other threads need. Read it before the first `take`. */
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

  /** The traces that occur up to `position` and not after it, and were not given before; in the order of their last occurrence. */
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

  /** As in most dumps: then nothing needs to be sorted. */
  #isInOrder(): boolean {
    for (let number = 1; number < this.#count; number++)
      if (this.#lastOf(number) < this.#lastOf(number - 1)) return false;
    return true;
  }

  /** Where the number of the id is, or would be. */
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
