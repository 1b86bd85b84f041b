const LEAST_SLOTS = 1 << 10;

/**
 * Map from many ids to small numbers, in a typed array: 12 bytes for each slot, and no objects. An id is identified by a 64-bit hash. The
 * probability that two of 200,000 ids collide is about 10⁻⁹. Because of the seed, senders cannot construct collisions.
 */
class IdCounts {
  readonly #seed: number;
  /** Three numbers for each slot: the two halves of the hash, and the value. A slot whose value is 0 is free. */
  #rows = new Int32Array(3 * LEAST_SLOTS);
  #mask = LEAST_SLOTS - 1;
  #size = 0;

  constructor(seed: number) {
    this.#seed = seed | 0;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the number of an id; 0 if it is unknown. */
  get(id: string): number {
    return this.#rows[this.#place(high(id, this.#seed), low(id, this.#seed)) + 2] ?? 0;
  }

  /** @param count above 0 */
  set(id: string, count: number): void {
    if (this.#size * 5 > this.#mask * 4) this.#grow();
    this.#put(high(id, this.#seed), low(id, this.#seed), count);
  }

  /** Forgets all ids. The arrays are kept for reuse. */
  clear(): void {
    this.#rows.fill(0);
    this.#size = 0;
  }

  #put(a: number, b: number, count: number): void {
    const at = this.#place(a, b);
    if (this.#rows[at + 2] === 0) this.#size++;
    this.#rows[at] = a;
    this.#rows[at + 1] = b;
    this.#rows[at + 2] = count;
  }

  /** Returns the slot that contains an id; if there is none, the free slot for it. */
  #place(a: number, b: number): number {
    const rows = this.#rows;
    for (let slot = a & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = 3 * slot;
      if (rows[at + 2] === 0 || (rows[at] === a && rows[at + 1] === b)) return at;
    }
  }

  #grow(): void {
    const rows = this.#rows;
    this.#rows = new Int32Array(2 * rows.length);
    this.#mask = 2 * this.#mask + 1;
    this.#size = 0;
    for (let at = 0; at < rows.length; at += 3) {
      const count = rows[at + 2] ?? 0;
      if (count > 0) this.#put(rows[at] ?? 0, rows[at + 1] ?? 0, count);
    }
  }
}

/**
 * Number of ids in each of two generations. When the current generation is full, the previous generation is dropped, and a new generation
 * begins.
 */
const HALF = 100_000;

/**
 * Numbers the revisions of each verdict, from 1. If late spans change a run, its new verdict has the same id and the next number. The ids
 * that were used last are remembered: at least 100,000 and at most 200,000.
 */
export class Revisions {
  #current: IdCounts;
  #previous: IdCounts;

  /** @param seed a random number; needed if senders can choose the ids */
  constructor(seed = 0) {
    this.#current = new IdCounts(seed);
    this.#previous = new IdCounts(seed);
  }

  next(verdictId: string): number {
    const revision = this.last(verdictId) + 1;
    this.resume(verdictId, revision);
    return revision;
  }

  /** Returns the last revision of a verdict; 0 if none is remembered. */
  last(verdictId: string): number {
    return this.#current.get(verdictId) || this.#previous.get(verdictId);
  }

  /** Sets the last published revision of a verdict. A revision of 0 is ignored. */
  resume(verdictId: string, revision: number): void {
    if (revision === 0) return;
    this.#current.set(verdictId, revision);
    if (this.#current.size < HALF) return;
    const forgotten = this.#previous;
    this.#previous = this.#current;
    this.#current = forgotten;
    forgotten.clear();
  }
}

function high(id: string, seed: number): number {
  let hash = seed ^ 0x5bd1e995;
  for (let at = 0; at < id.length; at++) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return mixed(hash);
}

function low(id: string, seed: number): number {
  let hash = ~seed;
  for (let at = 0; at < id.length; at++) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return mixed(hash);
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return once ^ (once >>> 15);
}
