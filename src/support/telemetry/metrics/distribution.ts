/** A histogram's counts. */
export class Distribution {
  readonly boundaries: readonly number[];
  /** One more than there are boundaries; bucket i holds values up to and including boundary i. */
  readonly counts: number[];
  sum = 0;
  count = 0;

  constructor(boundaries: readonly number[]) {
    this.boundaries = boundaries;
    this.counts = Array.from({ length: boundaries.length + 1 }, () => 0);
  }

  record(value: number): void {
    let bucket = 0;
    while (bucket < this.boundaries.length && value > (this.boundaries[bucket] ?? Infinity)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
    this.count++;
  }
}
