/** A trace id as four words, read little-endian from its bytes. */
export type TraceIdWords = readonly [number, number, number, number];

const WORDS = 4;
/** Ids to a block. */
const BLOCK = 1 << 14;
const FREE = -1;

interface Block {
  readonly ids: Int32Array;
  readonly last: Float64Array;
  /** Ids that were not given yet. */
  left: number;
}

/**
 * Where in the dumps each trace id occurs last. 32 to 40 bytes a trace: ids stay where they were noted, only the table of their numbers is made
 * anew as it grows, so that little is left behind for the garbage collector. A block is let go of once all of its ids were given.
 */
export class LastPositions {
  readonly #blocks: (Block | undefined)[] = [];
  /** Numbers of ids, by open addressing. */
  #table = new Int32Array(1 << 12).fill(FREE);
  #count = 0;
  /** Numbers by position, once all are noted and where that is another order than their own. */
  #order: Uint32Array | undefined;
  #isComplete = false;
  #taken = 0;

  get traces(): number {
    return this.#count;
  }

  /** Takes down that the id, of which `words` has the four words, occurs at `position`, which never goes back. */
  note(words: Int32Array, position: number): void {
    if (this.#count * 2 > this.#table.length) this.#grow();
    const slot = this.#slot(words, 0);
    let number = this.#table[slot] ?? FREE;
    if (number === FREE) this.#table[slot] = number = this.#add(words);
    const block = this.#blocks[Math.floor(number / BLOCK)];
    if (block !== undefined) block.last[number % BLOCK] = position;
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
      this.#blocks.push({ ids: new Int32Array(BLOCK * WORDS), last: new Float64Array(BLOCK), left: 0 });
    const block = this.#blocks[Math.floor(number / BLOCK)];
    if (block === undefined) return number;
    block.ids.set(words, (number % BLOCK) * WORDS);
    block.left++;
    return number;
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
    let hash = 0;
    for (let i = at; i < at + WORDS; i++) {
      hash = Math.imul(hash ^ (words[i] ?? 0), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let slot = hash & mask;
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
    this.#table = new Int32Array(this.#table.length * 2).fill(FREE);
    for (let number = 0; number < this.#count; number++) {
      const ids = this.#blocks[Math.floor(number / BLOCK)]?.ids;
      if (ids !== undefined) this.#table[this.#slot(ids, (number % BLOCK) * WORDS)] = number;
    }
  }
}
