import { hashId } from "./id-hash.ts";

type Id = readonly [number, number, number, number];

const WORDS = 4;
const LEAST_PLACES = 1 << 8;

/**
 * Set of the ids that were added last. Ids are stored as numbers in typed arrays, because the garbage collector would visit each object.
 * The all-zero id cannot be stored.
 */
export class LastIds {
  readonly #seed: number;
  readonly #most: number;
  /** Ids in a ring buffer. The place of a deleted id contains zeros. */
  #words: Int32Array;
  /** For each slot of the hash table, the id's position in the ring buffer plus 1; 0 for a free slot. */
  #index: Int32Array;
  #mask: number;
  #next = 0;

  /** @param most maximum number of ids, at least 1 */
  constructor(seed: number, most: number) {
    this.#seed = seed | 0;
    this.#most = most;
    const places = Math.min(most, LEAST_PLACES);
    this.#words = new Int32Array(places * WORDS);
    this.#index = new Int32Array(slotsFor(places));
    this.#mask = this.#index.length - 1;
  }

  has(a: number, b: number, c: number, d: number): boolean {
    return this.#index[this.#slotOf(a, b, c, d)] !== 0;
  }

  /** Adds an id. If the set is full, the oldest id is removed. An id that is already in the set keeps its age. */
  add(a: number, b: number, c: number, d: number): void {
    if (this.has(a, b, c, d)) return;
    const places = this.#words.length / WORDS;
    if (this.#next === places) {
      if (places < this.#most) this.#grow();
      else this.#next = 0;
    }
    const place = this.#next++;
    this.delete(...this.#idAt(place));
    this.#words.set([a, b, c, d], place * WORDS);
    this.#index[this.#slotOf(a, b, c, d)] = place + 1;
  }

  delete(a: number, b: number, c: number, d: number): void {
    const slot = this.#slotOf(a, b, c, d);
    const place = (this.#index[slot] ?? 0) - 1;
    if (place < 0) return;
    this.#words.fill(0, place * WORDS, (place + 1) * WORDS);
    this.#free(slot);
  }

  *values(): Generator<Id> {
    for (const place of this.#index) if (place > 0) yield this.#idAt(place - 1);
  }

  #idAt(place: number): Id {
    const at = place * WORDS;
    const words = this.#words;
    return [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0];
  }

  /** Returns the slot that contains the id; if the set does not contain the id, the free slot for it. */
  #slotOf(a: number, b: number, c: number, d: number): number {
    const words = this.#words;
    for (let slot = hashId(this.#seed, a, b, c, d) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const place = this.#index[slot] ?? 0;
      if (place === 0) return slot;
      const at = (place - 1) * WORDS;
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return slot;
    }
  }

  /** Frees a slot. Entries after it that were displaced by it are moved back, so that look-ups still find them. */
  #free(slot: number): void {
    let hole = slot;
    this.#index[hole] = 0;
    for (let next = (hole + 1) & this.#mask; ; next = (next + 1) & this.#mask) {
      const place = this.#index[next] ?? 0;
      if (place === 0) return;
      const home = hashId(this.#seed, ...this.#idAt(place - 1)) & this.#mask;
      if (((next - home) & this.#mask) < ((next - hole) & this.#mask)) continue;
      this.#index[hole] = place;
      this.#index[next] = 0;
      hole = next;
    }
  }

  #grow(): void {
    const words = this.#words;
    const used = words.length / WORDS;
    const places = Math.min(this.#most, 2 * used);
    this.#words = new Int32Array(places * WORDS);
    this.#words.set(words);
    this.#index = new Int32Array(slotsFor(places));
    this.#mask = this.#index.length - 1;
    for (let place = 0; place < used; place++) {
      const id = this.#idAt(place);
      if (id.some((word) => word !== 0)) this.#index[this.#slotOf(...id)] = place + 1;
    }
  }
}

/** Returns the number of slots: a power of two, at least twice the number of positions. */
function slotsFor(places: number): number {
  return 2 ** Math.ceil(Math.log2(2 * places));
}
