import {
  mean,
  populationStdDev,
  sampleStdDev,
  sampleVariance,
  sorted,
  type Sample,
} from "../samples/moments.ts";
import { medianOfSorted, nearestRankOfSorted, percentileOfSorted } from "../samples/quantiles.ts";

/** By linear interpolation between the closest ranks, or the value of the nearest rank. */
export type PercentileMethod = "linear" | "nearest";

/** Descriptive statistics of a set of values. Null: undefined for this number of values. */
export interface Description {
  readonly count: number;
  readonly mean: number | null;
  readonly median: number | null;
  readonly mode: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Population standard deviation, divisor n. */
  readonly stdDev: number | null;
  /** Sample standard deviation, divisor n − 1; null for fewer than two values. */
  readonly sampleStdDev: number | null;
  readonly sampleVariance: number | null;
  readonly p25: number | null;
  readonly p50: number | null;
  readonly p75: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/**
 * Returns the most frequent value after rounding to six decimals, the smallest of several (ProjectScylla);
 * null if there is none. For continuous values it is mostly the minimum, and of little meaning.
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

/** Doubles above 9·10⁹ have at most six exact decimals. */
function roundToSix(value: number): number {
  return Math.abs(value) > 9e9 ? value : Math.round(value * 1e6) / 1e6 + 0;
}

/**
 * Returns the descriptive statistics of a set of values. The order of the values has no effect; nothing is
 * rounded except the mode. Without values, count is 0 and the rest null, where ProjectScylla's document has
 * 0.0; absent is not zero.
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
