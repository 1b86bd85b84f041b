import {
  mean,
  populationStdDev,
  sampleStdDev,
  sampleVariance,
  sorted,
  type Sample,
} from "../samples/moments.ts";
import { medianOfSorted, nearestRankOfSorted, percentileOfSorted } from "../samples/quantiles.ts";

/** How a percentile between two values is computed: by linear interpolation, or as the nearest value. */
export type PercentileMethod = "linear" | "nearest";

/** Descriptive statistics of a set of values. A statistic is null if there are too few values for it. */
export interface Description {
  readonly count: number;
  readonly mean: number | null;
  readonly median: number | null;
  readonly mode: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Population standard deviation, with divisor n. */
  readonly stdDev: number | null;
  /** Sample standard deviation, with divisor n − 1; null for fewer than two values. */
  readonly sampleStdDev: number | null;
  readonly sampleVariance: number | null;
  readonly p25: number | null;
  readonly p50: number | null;
  readonly p75: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/**
 * Returns the most frequent value after rounding to six decimals, as ProjectScylla does. If several values
 * are equally frequent, returns the smallest. Returns null for no values. The mode of continuous values has
 * little meaning.
 */
function mode(values: Sample): number | null {
  const counts = new Map<number, number>();
  for (let i = 0; i < values.length; i++) {
    const rounded = roundToSix(values[i] ?? 0);
    counts.set(rounded, (counts.get(rounded) ?? 0) + 1);
  }
  let best: number | null = null;
  let most = 0;
  for (const [value, count] of counts) {
    if (count > most || (count === most && best !== null && value < best)) {
      best = value;
      most = count;
    }
  }
  return best;
}

/**
 * Rounds to six decimals. A number above 9·10⁹ is returned unchanged, because a double could not represent it
 * times 10⁶ exactly.
 */
function roundToSix(value: number): number {
  return Math.abs(value) > 9e9 ? value : Math.round(value * 1e6) / 1e6 + 0;
}

/**
 * Returns the descriptive statistics of a set of values, in any order. Only the mode is rounded. Without
 * values, `count` is 0 and all other statistics are null. ProjectScylla documents 0.0 instead of null.
 */
export function describe(values: Sample, method: PercentileMethod = "linear"): Description {
  const ordered = sorted(values);
  const percentile = method === "linear" ? percentileOfSorted : nearestRankOfSorted;
  return {
    count: ordered.length,
    mean: mean(ordered),
    median: medianOfSorted(ordered),
    mode: mode(ordered),
    min: ordered[0] ?? null,
    max: ordered[ordered.length - 1] ?? null,
    stdDev: populationStdDev(ordered),
    sampleStdDev: sampleStdDev(ordered),
    sampleVariance: sampleVariance(ordered),
    p25: percentile(ordered, 25),
    p50: percentile(ordered, 50),
    p75: percentile(ordered, 75),
    p95: percentile(ordered, 95),
    p99: percentile(ordered, 99),
  };
}
