import {
  mean,
  populationStdDev,
  sampleStdDev,
  sampleVariance,
  sorted,
  type Sample,
} from "../samples/moments.ts";
import { medianOfSorted, nearestRankOfSorted, percentileOfSorted } from "../samples/quantiles.ts";

/** Linear interpolation between the closest ranks, or the value of the nearest rank. */
export type PercentileMethod = "linear" | "nearest";

/**
 * Descriptive statistics of a set of values. A statistic is null if it is undefined for the number of
 * values.
 */
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
 * Returns the most frequent value after rounding to six decimals. Of equally frequent values, returns the
 * smallest (ProjectScylla). Returns null for no values. For continuous values, the mode has little meaning.
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
 * A number above 9·10⁹ is returned unchanged, because multiplication by 10⁶ could exceed the exact range of
 * doubles.
 */
function roundToSix(value: number): number {
  return Math.abs(value) > 9e9 ? value : Math.round(value * 1e6) / 1e6 + 0;
}

/**
 * Returns the descriptive statistics of a set of values. The order of the values has no effect.
 * The mode is rounded, all other statistics are unrounded.
 * Without values, `count` is 0 and other statistics are null. ProjectScylla's document has 0.0 in that case.
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
