import { sorted, type Sample } from "./moments.ts";

/** Returns `percentile` of values that are already sorted. */
export function percentileOfSorted(ordered: Sample, p: number): number | null {
  if (!(p >= 0 && p <= 100)) throw new RangeError(`a percentile must lie between 0 and 100, got ${p}`);
  const position = ((ordered.length - 1) * p) / 100;
  const below = ordered[Math.floor(position)];
  const above = ordered[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}

/**
 * Returns the p-th percentile, p in [0, 100], by linear interpolation between closest ranks: position (n −
 * 1)·p/100 (type 7 of Hyndman and Fan; EvalView and NumPy). Null for no values; RangeError for another p.
 */
export function percentile(values: Sample, p: number): number | null {
  return percentileOfSorted(sorted(values), p);
}

/**
 * Returns the smallest of sorted values that at least p per cent of them do not exceed. The result is always
 * one of the values (nearest rank, as ProjectScylla reports latency). Null for no values.
 */
export function nearestRankOfSorted(ordered: Sample, p: number): number | null {
  if (!(p >= 0 && p <= 100)) throw new RangeError(`a percentile must lie between 0 and 100, got ${p}`);
  const rank = Math.max(1, Math.ceil((p / 100) * ordered.length));
  return ordered[rank - 1] ?? null;
}

/** Returns `median` of values that are already sorted. */
export function medianOfSorted(ordered: Sample): number | null {
  return percentileOfSorted(ordered, 50);
}

/** Returns the median; for an even number of values, the mean of the middle two; null if there is none. */
export function median(values: Sample): number | null {
  return medianOfSorted(sorted(values));
}
