/** An entry of the timing wheel. Only the wheel uses these fields. */
export interface Timed {
  /** Tick of the entry; -1 if the entry is not in the wheel. */
  wheelTick: number;
  /** Index of the entry within its tick. */
  wheelPlace: number;
}

/**
 * Deadlines of many entries. Inserting, moving and removing an entry each take constant time. An entry is returned at its deadline, or up
 * to one tick later. The deadline may be outdated, so the caller checks whether the entry is due, and may insert it again.
 */
export class TimingWheel<Entry extends Timed> {
  readonly #tickMs: number;
  readonly #buckets = new Map<number, Entry[]>();
  #next = Infinity;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  /** Sets the deadline of an entry, which replaces its previous deadline. An entry with the deadline Infinity is not in the wheel. */
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

  /** Removes an entry; does nothing if the entry is not in the wheel. */
  remove(entry: Entry): void {
    const bucket = this.#buckets.get(entry.wheelTick);
    const last = bucket?.pop();
    if (bucket !== undefined && last !== undefined && last !== entry) {
      bucket[entry.wheelPlace] = last;
      last.wheelPlace = entry.wheelPlace;
    }
    entry.wheelTick = -1;
  }

  /** Removes and returns all entries whose deadline has passed. */
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
