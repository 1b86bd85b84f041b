import type { Interval } from "./interval.ts";
import { mean, sum, type Sample } from "../samples/moments.ts";
import { normalCdf, normalQuantile, twoSidedZ } from "../tests/normal.ts";
import { percentileOfSorted } from "../samples/quantiles.ts";
import { createRandom } from "../samples/random.ts";

export interface BootstrapOptions {
  /** Confidence of the two-sided interval, between 0 and 1. */
  readonly confidence: number;
  /** Number of resamples, at least 1. A report uses a few thousand. */
  readonly resamples: number;
  readonly seed: number;
}

function meanOf(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i] ?? 0;
  return total / values.length;
}

/**
 * Draws `resamples` samples from the values, with replacement, and returns the mean of each. Equal seeds give
 * equal means.
 */
function bootstrapMeans(values: Float64Array, options: BootstrapOptions): Float64Array {
  const random = createRandom(options.seed);
  const draw = new Float64Array(values.length);
  const means = new Float64Array(options.resamples);
  for (let b = 0; b < means.length; b++) {
    random.draw(values, draw);
    means[b] = meanOf(draw);
  }
  return means;
}

function between(ordered: Float64Array, low: number, high: number): Interval | null {
  const lower = percentileOfSorted(ordered, 100 * low);
  const upper = percentileOfSorted(ordered, 100 * high);
  return lower === null || upper === null ? null : { low: lower, high: upper };
}

/** Returns the α/2 and 1 − α/2 quantiles of the bootstrap estimates; null without estimates. */
export function percentileInterval(estimates: Float64Array, confidence: number): Interval | null {
  const tail = normalCdf(-twoSidedZ(confidence));
  return between(estimates.toSorted(), tail, 1 - tail);
}

/**
 * Returns z₀, the normal quantile of the share of bootstrap estimates that are below the estimate. A
 * bootstrap estimate that equals the estimate counts half.
 */
function biasCorrection(estimates: Float64Array, estimate: number): number {
  let below = 0;
  for (const value of estimates) below += value < estimate ? 1 : value === estimate ? 0.5 : 0;
  const share = below / estimates.length;
  return share > 0 && share < 1 ? normalQuantile(share) : share === 0 ? -Infinity : Infinity;
}

/**
 * Returns the acceleration â = Σd³ / (6·(Σd²)^1.5), where d are the deviations of the jackknife estimates
 * from their mean; 0 if all estimates are equal.
 */
function acceleration(leaveOneOut: Sample): number {
  const centre = mean(leaveOneOut) ?? 0;
  const deviations = Float64Array.from(leaveOneOut, (value) => centre - value);
  // Dividing deviations by the largest deviation does not change the result, and keeps the cubes of tiny
  // deviations from underflowing to 0.
  const unit = deviations.reduce((largest, deviation) => Math.max(largest, Math.abs(deviation)), 0);
  if (unit === 0) return 0;
  const squares = deviations.map((deviation) => (deviation / unit) ** 2);
  const cubes = deviations.map((deviation) => (deviation / unit) ** 3);
  return sum(cubes) / (6 * sum(squares) ** 1.5);
}

/**
 * Returns the bias-corrected and accelerated (BCa) interval: the quantiles of the bootstrap estimates at Φ(z₀
 * + (z₀ ± z)/(1 − â(z₀ ± z))). Returns null without estimates, if all estimates are below or all are above
 * `estimate`, or if the acceleration is too large. Source: Efron, Journal of the American Statistical
 * Association 82 (1987).
 */
export function bcaInterval(
  estimates: Float64Array,
  estimate: number,
  leaveOneOut: Sample,
  confidence: number,
): Interval | null {
  const z = twoSidedZ(confidence);
  const bias = biasCorrection(estimates, estimate);
  const skew = acceleration(leaveOneOut);
  if (!Number.isFinite(bias) || !Number.isFinite(skew)) return null;
  if (1 - skew * (bias - z) <= 0 || 1 - skew * (bias + z) <= 0) return null;
  const adjusted = (side: number) => normalCdf(bias + (bias + side) / (1 - skew * (bias + side)));
  return between(estimates.toSorted(), adjusted(-z), adjusted(z));
}

/**
 * Returns the bootstrap interval (BCa) of the mean. Equal seeds give equal intervals. Returns null for fewer
 * than two values. If all values are equal, both limits of the interval are this value. If the BCa interval
 * is undefined, returns the percentile interval.
 */
export function bootstrapInterval(values: Sample, options: BootstrapOptions): Interval | null {
  if (values.length < 2) return null;
  const own = Float64Array.from(values);
  const means = bootstrapMeans(own, options);
  const estimate = meanOf(own);
  if (means.every((value) => value === estimate)) return { low: estimate, high: estimate };
  const total = sum(own);
  const leaveOneOut = own.map((value) => (total - value) / (own.length - 1));
  return (
    bcaInterval(means, estimate, leaveOneOut, options.confidence) ??
    percentileInterval(means, options.confidence)
  );
}
