/** Identity of a change of one measure. */
export interface FoundChange {
  readonly measure: string;
  readonly direction: string;
  /** Lower limit of the change's 95 % confidence interval. */
  readonly lowUnixMs: number;
  readonly highUnixMs: number;
}

/** Maximum number of bins by which the estimated time of a change moves when more data arrive. */
const MOST_MOVED_BINS = 7;

/**
 * Returns the changes of a trend that were not found before. More data move the estimated time of a change. A
 * change is a known one if their intervals overlap or are less than a bin apart. A change near a known change
 * of the same direction is also a known one if the trend no longer shows the known change.
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
