/** An entry of the wheel, with the wheel's own bookkeeping. */
export interface Timed {
  /** -1 when it is not in the wheel. */
  wheelTick: number;
  /** Its place among the entries of that tick. */
  wheelPlace: number;
}

/**
 * Deadlines for very many entries: putting, moving and removing one is constant work. An entry is returned in the tick of its due time. The caller decides whether it is due, and may insert it again.
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
    const tick = dueMs === Infinity ? -1 : Math.ceil(dueMs / this.#tickMs);
    if (entry.wheelTick === tick) return;
    this.remove(entry);
    if (tick === -1) return;
    const bucket = this.#buckets.get(tick);
    entry.wheelTick = tick;
    entry.wheelPlace = bucket?.length ?? 0;
    if (bucket === undefined) this.#buckets.set(tick, [entry]);
    else bucket.push(entry);
    if (tick < this.#next) this.#next = tick;
  }

  /** It is released at once: deadlines are minutes away, and most entries are done with in seconds. */
  remove(entry: Entry): void {
    const bucket = this.#buckets.get(entry.wheelTick);
    const last = bucket?.pop();
    if (bucket !== undefined && last !== undefined && last !== entry) {
      bucket[entry.wheelPlace] = last;
      last.wheelPlace = entry.wheelPlace;
    }
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
