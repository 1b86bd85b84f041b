import { hashId } from "./id-hash.ts";

/** An entry with a 128-bit id of four words. */
export interface Identified {
  readonly id: readonly [number, number, number, number];
  hasId(a: number, b: number, c: number, d: number): boolean;
}

/** Entries by id, in a hash table with open addressing. A look-up allocates no memory. */
export class IdTable<Entry extends Identified> {
  readonly #seed: number;
  #mask = 0;
  #entries: (Entry | undefined)[] = [];
  /** State of each slot: 0 free, 1 occupied, 2 deleted. */
  #state = new Uint8Array(0);
  #used = 0;
  #live = 0;

  constructor(seed: number) {
    this.#seed = seed | 0;
    this.#allocate(1 << 10);
  }

  get size(): number {
    return this.#live;
  }

  get(a: number, b: number, c: number, d: number): Entry | undefined {
    const slot = this.#find(a, b, c, d);
    return this.#state[slot] === 1 ? this.#entries[slot] : undefined;
  }

  set(entry: Entry): void {
    if (this.#used * 3 > this.#mask * 2) this.#rehash();
    const [a, b, c, d] = entry.id;
    const slot = this.#find(a, b, c, d);
    if (this.#state[slot] !== 1) {
      this.#state[slot] = 1;
      this.#used++;
      this.#live++;
    }
    this.#entries[slot] = entry;
  }

  delete(a: number, b: number, c: number, d: number): void {
    const slot = this.#find(a, b, c, d);
    if (this.#state[slot] !== 1) return;
    this.#state[slot] = 2;
    this.#entries[slot] = undefined;
    this.#live--;
  }

  *values(): Generator<Entry> {
    for (const entry of this.#entries) if (entry !== undefined) yield entry;
  }

  /** Returns the slot that contains the id; if the table does not contain the id, the free slot for it. */
  #find(a: number, b: number, c: number, d: number): number {
    let slot = hashId(this.#seed, a, b, c, d) & this.#mask;
    const entries = this.#entries;
    const state = this.#state;
    for (;;) {
      const taken = state[slot];
      if (taken === 0) return slot;
      if (taken === 1 && entries[slot]?.hasId(a, b, c, d) === true) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }

  #allocate(slots: number): void {
    this.#mask = slots - 1;
    this.#state = new Uint8Array(slots);
    this.#entries = Array.from<Entry | undefined>({ length: slots });
    this.#used = 0;
    this.#live = 0;
  }

  #rehash(): void {
    const entries = this.#entries;
    this.#allocate(this.#live * 3 > this.#mask ? (this.#mask + 1) * 2 : this.#mask + 1);
    for (const entry of entries) if (entry !== undefined) this.set(entry);
  }
}
