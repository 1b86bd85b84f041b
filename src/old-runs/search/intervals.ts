/** Something that takes time. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Tells whether some stretch of time lies within another. */
export class Intervals {
  /** Ascending. */
  readonly #starts: readonly number[];
  /** For each start the earliest end of those from it on. */
  readonly #earliest: Float64Array;

  constructor(all: readonly Stretch[]) {
    const sorted = all.toSorted((a, b) => a.start - b.start);
    this.#starts = sorted.map(({ start }) => start);
    this.#earliest = new Float64Array(sorted.length);
    let least = Infinity;
    for (let at = sorted.length - 1; at >= 0; at--)
      this.#earliest[at] = least = Math.min(least, sorted[at]?.end ?? Infinity);
  }

  anyWithin({ start, end }: Stretch): boolean {
    let from = 0;
    for (let to = this.#starts.length; from < to;) {
      const middle = (from + to) >> 1;
      if ((this.#starts[middle] ?? Infinity) < start) from = middle + 1;
      else to = middle;
    }
    return (this.#earliest[from] ?? Infinity) <= end;
  }
}
