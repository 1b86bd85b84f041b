/** A trace id as four 32-bit words, read little-endian from its bytes. */
export type TraceIdWords = readonly [number, number, number, number];

/** A position in the dumps at which a reader can start. */
export interface Mark {
  readonly position: number;
  /** Number of traces that begin before the position. */
  readonly traces: number;
  /** Number of the file that contains the position, from 0. */
  readonly file: number;
}

/** Last position of each trace in the dumps, in memory that threads share. Traces are numbered in the order of their first occurrence. */
export interface SharedIndex {
  readonly traces: number;
  /** Trace ids, with four words per id and `blockLength` ids per block. */
  readonly ids: readonly Int32Array[];
  /** Position in the dump at which each trace id occurs last. */
  readonly last: readonly Float64Array[];
  readonly blockLength: number;
  /** Hash table with open addressing; its values are the numbers of ids, -1 for a free slot. */
  readonly table: Int32Array;
  /** Marks, sorted by position. */
  readonly marks: readonly Mark[];
}

/** Returns the slot at which the search for an id begins, in a table with `length` slots. */
export function firstSlot(words: Int32Array, at: number, length: number): number {
  let hash = 0;
  for (let i = at; i < at + 4; i++) {
    hash = Math.imul(hash ^ (words[i] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash & (length - 1);
}

/** Reads a shared index of trace ids. */
export class TraceIndex {
  readonly #shared: SharedIndex;

  constructor(shared: SharedIndex) {
    this.#shared = shared;
  }

  /** Returns the number of the trace with the id at `at`; -1 if the index does not contain it. */
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

/** Traces ordered by their last position, then by their first position. */
export class TraceEnds {
  readonly #index: TraceIndex;
  readonly #order: Uint32Array;
  #taken = 0;

  constructor(index: TraceIndex, numbers: Uint32Array) {
    this.#index = index;
    this.#order = numbers.sort((a, b) => index.lastOf(a) - index.lastOf(b) || a - b);
  }

  /** Returns the traces whose last position is at most `position`. Each trace is returned once. */
  take(position: number): TraceIdWords[] {
    const ended: TraceIdWords[] = [];
    for (; this.#taken < this.#order.length; this.#taken++) {
      const number = this.#order[this.#taken] ?? 0;
      if (this.#index.lastOf(number) > position) break;
      ended.push(this.#index.idOf(number));
    }
    return ended;
  }

  /** Last position of the last trace; 0 if there are no traces. */
  get end(): number {
    const last = this.#order.at(-1);
    return last === undefined ? 0 : this.#index.lastOf(last);
  }
}
