/** The identity of a change of one measure. */
export interface FoundChange {
  readonly measure: string;
  readonly direction: string;
  /** 95 % confidence interval of the change. */
  readonly lowUnixMs: number;
  readonly highUnixMs: number;
}

/** Most bins by which the estimated time of a change moves when more data arrive. */
const MOST_MOVED_BINS = 7;

/**
 * The changes of a trend that are not among those found before. More data move the estimate of a change's time: it is the same one where the
 * intervals overlap or lie less than a bin apart; and where it is near a known change of the same direction that the trend shows no longer.
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
