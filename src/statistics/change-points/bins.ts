const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Values in the order of their times. */
export interface TimeSeries {
  /** Unix milliseconds, never falling. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** A length of time between two of whose ends a change may lie: `from` and `to` are positions in the series, `to` excluded. */
export interface Bin {
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  readonly from: number;
  readonly to: number;
}

/** Days; hours where there are fewer than four days, weeks where there are more than a hundred. */
export function binWidthMs(spanMs: number): number {
  if (spanMs <= 4 * DAY_MS) return HOUR_MS;
  return spanMs <= 100 * DAY_MS ? DAY_MS : WEEK_MS;
}

/** The bins that have an observation, in UTC. */
export function binsOf({ times }: TimeSeries, widthMs: number): Bin[] {
  const bins: Bin[] = [];
  for (let from = 0; from < times.length;) {
    const startUnixMs = Math.floor((times[from] ?? 0) / widthMs) * widthMs;
    const endUnixMs = startUnixMs + widthMs;
    let to = from + 1;
    while (to < times.length && (times[to] ?? 0) < endUnixMs) to++;
    bins.push({ startUnixMs, endUnixMs, from, to });
    from = to;
  }
  return bins;
}

/** Sorts observations by time. */
export function timeSeries(
  observed: readonly { readonly unixMs: number; readonly value: number }[],
): TimeSeries {
  const ordered = observed.toSorted((a, b) => a.unixMs - b.unixMs || a.value - b.value);
  return {
    times: Float64Array.from(ordered, ({ unixMs }) => unixMs),
    values: Float64Array.from(ordered, ({ value }) => value),
  };
}
