/** A change of one measure, as far as it takes to know it again. */
export interface FoundChange {
  readonly measure: string;
  readonly direction: string;
  /** Where the change lies with 95 % confidence. */
  readonly lowUnixMs: number;
  readonly highUnixMs: number;
}

/** An estimate of the time moves by no more bins when there are more data, where it moves at all. */
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
