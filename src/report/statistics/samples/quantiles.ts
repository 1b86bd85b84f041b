import { sorted, type Sample } from "./moments.ts";

/** Returns the p-th percentile of sorted values. See `percentile`. */
export function percentileOfSorted(ordered: Sample, p: number): number | null {
  if (!(p >= 0 && p <= 100)) throw new RangeError(`a percentile must lie between 0 and 100, got ${p}`);
  const position = ((ordered.length - 1) * p) / 100;
  const below = ordered[Math.floor(position)];
  const above = ordered[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}

/**
 * Returns the p-th percentile, interpolated between the two closest values, at position (n − 1)·p/100; null
 * for no values. The percentile is of type 7 of Hyndman and Fan, as in EvalView and NumPy.
 * @throws RangeError unless 0 ≤ p ≤ 100
 */
export function percentile(values: Sample, p: number): number | null {
  return percentileOfSorted(sorted(values), p);
}

/**
 * Returns the smallest value v such that at least p percent of the values are ≤ v (nearest rank); null for no
 * values. ProjectScylla uses the nearest rank for latency.
 */
export function nearestRankOfSorted(ordered: Sample, p: number): number | null {
  if (!(p >= 0 && p <= 100)) throw new RangeError(`a percentile must lie between 0 and 100, got ${p}`);
  const rank = Math.max(1, Math.ceil((p / 100) * ordered.length));
  return ordered[rank - 1] ?? null;
}

export function medianOfSorted(ordered: Sample): number | null {
  return percentileOfSorted(ordered, 50);
}

/** Returns the median; null for no values. */
export function median(values: Sample): number | null {
  return medianOfSorted(sorted(values));
}
