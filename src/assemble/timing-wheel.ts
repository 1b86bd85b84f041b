/** An entry of the wheel; `wheelTick` is the wheel's own bookkeeping, -1 when it is not in the wheel. */
export interface Timed {
  wheelTick: number;
}

/**
 * Deadlines for very many entries: putting, moving and removing one is constant work. Entries come out in the tick in which they fall due;
 * whoever takes one out decides whether it really is due and may put it back.
 */
export class TimingWheel<Entry extends Timed> {
  readonly #tickMs: number;
  readonly #buckets = new Map<number, Entry[]>();
  #next = Infinity;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  /** Sets the entry's deadline; an earlier one set before is forgotten. Entries due never are left out. */
  put(entry: Entry, dueMs: number): void {
    if (dueMs === Infinity) {
      entry.wheelTick = -1;
      return;
    }
    const tick = Math.ceil(dueMs / this.#tickMs);
    if (entry.wheelTick === tick) return;
    entry.wheelTick = tick;
    const bucket = this.#buckets.get(tick);
    if (bucket === undefined) this.#buckets.set(tick, [entry]);
    else bucket.push(entry);
    if (tick < this.#next) this.#next = tick;
  }

  remove(entry: Entry): void {
    entry.wheelTick = -1;
  }

  /** Takes out every entry whose deadline has come. */
  take(nowMs: number): Entry[] {
    const now = Math.floor(nowMs / this.#tickMs);
    if (now < this.#next) return [];
    const due: Entry[] = [];
    const ticks = [...this.#buckets.keys()].filter((tick) => tick <= now).sort((a, b) => a - b);
    for (const tick of ticks) {
      for (const entry of this.#buckets.get(tick) ?? []) {
        if (entry.wheelTick !== tick) continue; // moved or removed since
        entry.wheelTick = -1;
        due.push(entry);
      }
      this.#buckets.delete(tick);
    }
    this.#next = Infinity;
    for (const tick of this.#buckets.keys()) if (tick < this.#next) this.#next = tick;
    return due;
  }
}
