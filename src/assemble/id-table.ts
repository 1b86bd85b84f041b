/**
 * Entries by 128-bit id, the id as four 32-bit words, by open addressing: a lookup makes no string and no garbage. The seed keeps strangers
 * from choosing ids that collide.
 */
export class IdTable<Entry> {
  readonly #seed: number;
  #mask = 0;
  #words = new Int32Array(0);
  #entries: (Entry | undefined)[] = [];
  /** 0 free, 1 taken, 2 deleted. */
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

  set(a: number, b: number, c: number, d: number, entry: Entry): void {
    if (this.#used * 3 > this.#mask * 2) this.#rehash();
    const slot = this.#find(a, b, c, d);
    if (this.#state[slot] !== 1) {
      this.#state[slot] = 1;
      this.#used++;
      this.#live++;
    }
    const words = slot << 2;
    this.#words[words] = a;
    this.#words[words + 1] = b;
    this.#words[words + 2] = c;
    this.#words[words + 3] = d;
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

  /** The slot of the id, or the free slot where it would go. */
  #find(a: number, b: number, c: number, d: number): number {
    let slot = this.#hash(a, b, c, d) & this.#mask;
    const words = this.#words;
    const state = this.#state;
    for (;;) {
      const taken = state[slot];
      if (taken === 0) return slot;
      const at = slot << 2;
      if (
        taken === 1 &&
        words[at] === a &&
        words[at + 1] === b &&
        words[at + 2] === c &&
        words[at + 3] === d
      ) {
        return slot;
      }
      slot = (slot + 1) & this.#mask;
    }
  }

  #hash(a: number, b: number, c: number, d: number): number {
    let hash = Math.imul(a ^ this.#seed, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) ^ Math.imul(c, 0x27d4eb2f);
    hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1) ^ Math.imul(d, 0x9e3779b1);
    return hash ^ (hash >>> 16);
  }

  #allocate(slots: number): void {
    this.#mask = slots - 1;
    this.#words = new Int32Array(slots * 4);
    this.#state = new Uint8Array(slots);
    this.#entries = Array.from<Entry | undefined>({ length: slots });
    this.#used = 0;
    this.#live = 0;
  }

  #rehash(): void {
    const words = this.#words;
    const entries = this.#entries;
    this.#allocate(this.#live * 3 > this.#mask ? (this.#mask + 1) * 2 : this.#mask + 1);
    for (let slot = 0; slot < entries.length; slot++) {
      const entry = entries[slot];
      if (entry === undefined) continue;
      const at = slot << 2;
      this.set(words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0, entry);
    }
  }
}
