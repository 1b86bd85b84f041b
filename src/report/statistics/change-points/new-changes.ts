/** Measure, direction and time of a change, which identify the change. */
export interface FoundChange {
  readonly measure: string;
  readonly direction: string;
  /**
   * Lower limit of the 95 % confidence interval of the change's time. `highUnixMs` is the upper limit of this
   * interval.
   */
  readonly lowUnixMs: number;
  readonly highUnixMs: number;
}

/** Maximum number of bins by which new data may move the estimated time of a known change. */
const MOST_MOVED_BINS = 7;

/**
 * Returns the changes of a trend that are not in `known`. Two changes are the same if they have the same measure and direction, and
 * intervals that overlap or are at most one bin apart. New runs may move the time of a known change. For a known change that the trend
 * lacks, `MOST_MOVED_BINS` applies instead of one bin.
 */
export function newChanges<Found extends FoundChange>(
  trend: readonly Found[],
  known: readonly FoundChange[],
  binMs: number,
): Found[] {
  const isNear = (one: FoundChange, other: FoundChange, bins: number): boolean =>
    one.measure === other.measure &&
    one.direction === other.direction &&
    one.lowUnixMs - bins * binMs <= other.highUnixMs &&
    other.lowUnixMs - bins * binMs <= one.highUnixMs;
  const shown = known.filter((old) => trend.some((one) => isNear(one, old, 1)));
  const moved = known.filter((old) => !shown.includes(old));
  return trend.filter(
    (one) =>
      !shown.some((old) => isNear(one, old, 1)) && !moved.some((old) => isNear(one, old, MOST_MOVED_BINS)),
  );
}
