/** A trace id as four words, read little-endian from its bytes. */
export type TraceIdWords = readonly [number, number, number, number];

const WORDS = 4;
const EMPTY = -1;

/** Where in the dumps each trace id occurs last. 24 to 48 bytes a trace while they are noted, then 24. */
export class LastPositions {
  #ids = new Int32Array((1 << 12) * WORDS);
  #last = new Float64Array(1 << 12).fill(EMPTY);
  #count = 0;
  /** Once all are noted, `#ids` and `#last` are in the order of the positions, and no table any more. */
  #isSorted = false;
  #taken = 0;

  get traces(): number {
    return this.#count;
  }

  /** Takes down that the id, of which `words` has the four words, occurs at `position`, which never goes back. */
  note(words: Int32Array, position: number): void {
    if (this.#count * 2 > this.#last.length) this.#grow();
    const slot = this.#slot(words, 0);
    if (this.#last[slot] === EMPTY) {
      this.#count++;
      this.#ids.set(words, slot * WORDS);
    }
    this.#last[slot] = position;
  }

  /** The traces that occur up to `position` and not after it, and were not given before; in the order of their last occurrence. */
  take(position: number): TraceIdWords[] {
    if (!this.#isSorted) this.#sort();
    const ended: TraceIdWords[] = [];
    for (; this.#taken < this.#count && (this.#last[this.#taken] ?? 0) <= position; this.#taken++) {
      const at = this.#taken * WORDS;
      ended.push([this.#word(at), this.#word(at + 1), this.#word(at + 2), this.#word(at + 3)]);
    }
    return ended;
  }

  #word(at: number): number {
    return this.#ids[at] ?? 0;
  }

  #sort(): void {
    const slots = new Uint32Array(this.#count);
    let next = 0;
    this.#last.forEach((position, slot) => {
      if (position !== EMPTY) slots[next++] = slot;
    });
    slots.sort((a, b) => (this.#last[a] ?? 0) - (this.#last[b] ?? 0));
    const ids = new Int32Array(this.#count * WORDS);
    const last = new Float64Array(this.#count);
    for (const [index, slot] of slots.entries()) {
      ids.set(this.#ids.subarray(slot * WORDS, (slot + 1) * WORDS), index * WORDS);
      last[index] = this.#last[slot] ?? 0;
    }
    this.#ids = ids;
    this.#last = last;
    this.#isSorted = true;
  }

  #slot(words: Int32Array, at: number): number {
    const mask = this.#last.length - 1;
    let hash = 0;
    for (let i = at; i < at + WORDS; i++) {
      hash = Math.imul(hash ^ (words[i] ?? 0), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let slot = hash & mask;
    while (this.#last[slot] !== EMPTY && !this.#same(slot, words, at)) slot = (slot + 1) & mask;
    return slot;
  }

  #same(slot: number, words: Int32Array, at: number): boolean {
    const own = slot * WORDS;
    for (let i = 0; i < WORDS; i++) if (this.#ids[own + i] !== words[at + i]) return false;
    return true;
  }

  #grow(): void {
    const ids = this.#ids;
    const last = this.#last;
    this.#ids = new Int32Array(ids.length * 2);
    this.#last = new Float64Array(last.length * 2).fill(EMPTY);
    last.forEach((position, old) => {
      if (position === EMPTY) return;
      const slot = this.#slot(ids, old * WORDS);
      this.#ids.set(ids.subarray(old * WORDS, (old + 1) * WORDS), slot * WORDS);
      this.#last[slot] = position;
    });
  }
}
