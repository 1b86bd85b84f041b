/** A trace id as four words, read little-endian from its bytes. */
export type TraceIdWords = readonly [number, number, number, number];

/** Traces up to here begin before a position, all others at it or later. */
export interface Mark {
  readonly position: number;
  /** How many traces begin before. */
  readonly traces: number;
  /** Number of the file that holds it, from 0. */
  readonly file: number;
}

/** Where each trace of dumps ends, in memory that threads share. Traces are numbered as they begin. */
export interface SharedIndex {
  readonly traces: number;
  /** Four words an id, `blockLength` ids to a block. */
  readonly ids: readonly Int32Array[];
  /** Where each id occurs last. */
  readonly last: readonly Float64Array[];
  readonly blockLength: number;
  /** Numbers of ids, by open addressing; -1 where there is none. */
  readonly table: Int32Array;
  /** By position. */
  readonly marks: readonly Mark[];
}

/** Where an id's search in a table of this length begins. */
export function firstSlot(words: Int32Array, at: number, length: number): number {
  let hash = 0;
  for (let i = at; i < at + 4; i++) {
    hash = Math.imul(hash ^ (words[i] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash & (length - 1);
}

/** Reads a shared index. */
export class TraceIndex {
  readonly #shared: SharedIndex;

  constructor(shared: SharedIndex) {
    this.#shared = shared;
  }

  /** The number of the trace whose id's four words are at `at`; -1 for one that is not in it. */
  numberOf(words: Int32Array, at: number): number {
    const { table } = this.#shared;
    for (let slot = firstSlot(words, at, table.length); ; slot = (slot + 1) & (table.length - 1)) {
      const number = table[slot] ?? -1;
      if (number < 0 || this.#is(number, words, at)) return number;
    }
  }

  #is(number: number, words: Int32Array, at: number): boolean {
    const { ids, blockLength } = this.#shared;
    const block = ids[Math.floor(number / blockLength)];
    const own = (number % blockLength) * 4;
    for (let i = 0; i < 4; i++) if (block?.[own + i] !== words[at + i]) return false;
    return true;
  }

  lastOf(number: number): number {
    const { last, blockLength } = this.#shared;
    return last[Math.floor(number / blockLength)]?.[number % blockLength] ?? 0;
  }

  idOf(number: number): TraceIdWords {
    const { ids, blockLength } = this.#shared;
    const block = ids[Math.floor(number / blockLength)];
    const at = (number % blockLength) * 4;
    return [block?.[at] ?? 0, block?.[at + 1] ?? 0, block?.[at + 2] ?? 0, block?.[at + 3] ?? 0];
  }
}

/** Some traces in the order in which they end; of those that end at one place the one that began first. */
export class TraceEnds {
  readonly #index: TraceIndex;
  readonly #order: Uint32Array;
  #taken = 0;

  constructor(index: TraceIndex, numbers: Uint32Array) {
    this.#index = index;
    this.#order = numbers.sort((a, b) => index.lastOf(a) - index.lastOf(b) || a - b);
  }

  /** The traces that end up to `position` and were not given before. */
  take(position: number): TraceIdWords[] {
    const ended: TraceIdWords[] = [];
    for (; this.#taken < this.#order.length; this.#taken++) {
      const number = this.#order[this.#taken] ?? 0;
      if (this.#index.lastOf(number) > position) break;
      ended.push(this.#index.idOf(number));
    }
    return ended;
  }

  /** End of the last span; 0 for none. */
  get end(): number {
    const last = this.#order.at(-1);
    return last === undefined ? 0 : this.#index.lastOf(last);
  }
}
