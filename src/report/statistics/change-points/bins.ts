const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

export interface TimeSeries {
  /** Times in Unix milliseconds, in ascending order. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/**
 * A part of a time series: an hour, a day or a week. `from` and `to` are indexes in the series; `to` is
 * exclusive.
 */
export interface Bin {
  readonly startUnixMs: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the length of a bin in milliseconds: an hour for a series of up to four days, a day for up to a
 * hundred days, otherwise a week.
 */
export function binWidthMs(spanMs: number): number {
  if (spanMs <= 4 * DAY_MS) return HOUR_MS;
  return spanMs <= 100 * DAY_MS ? DAY_MS : WEEK_MS;
}

/** Minimum number of bins for merging the oldest bin with the next bin. */
const FEW_BINS = 4;

/**
 * Returns the bins that contain an observation. The newest bin ends at the last observation, so it spans a whole period. The oldest bin may
 * span only a part of a period, for example a part of a day, and its runs may differ from those of a whole day. With `FEW_BINS` or more
 * bins, the oldest bin is therefore merged with the next bin.
 */
export function binsOf({ times }: TimeSeries, widthMs: number): Bin[] {
  const last = times.at(-1) ?? 0;
  const bins: Bin[] = [];
  for (let from = 0; from < times.length;) {
    const number = Math.floor((last - (times[from] ?? 0)) / widthMs);
    const startUnixMs = last - (number + 1) * widthMs;
    let to = from + 1;
    while (to < times.length && Math.floor((last - (times[to] ?? 0)) / widthMs) === number) to++;
    bins.push({ startUnixMs, from, to });
    from = to;
  }
  const [first, second, ...others] = bins;
  if (first === undefined || second === undefined || bins.length < FEW_BINS) return bins;
  return [{ ...second, from: first.from }, ...others];
}
