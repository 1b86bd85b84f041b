import type { Interval } from "./interval.ts";
import { mean, sum, type Sample } from "../samples/moments.ts";
import { normalCdf, normalQuantile, twoSidedZ } from "../tests/normal.ts";
import { percentileOfSorted } from "../samples/quantiles.ts";
import { createRandom } from "../samples/random.ts";

/** An estimator. */
export interface Estimator {
  /** Returns the estimate from at least one value. */
  of(values: Float64Array): number;
  /** Returns the estimates with each value left out in turn, if there is a faster way than one by one. */
  leaveOneOut?(values: Float64Array): Float64Array;
}

/** The arithmetic mean as an estimator for the bootstrap. */
export const meanEstimator: Estimator = {
  of(values) {
    let total = 0;
    for (let i = 0; i < values.length; i++) total += values[i] ?? 0;
    return total / values.length;
  },
  leaveOneOut(values) {
    const total = sum(values);
    return values.map((value) => (total - value) / (values.length - 1));
  },
};

export interface BootstrapOptions {
  /** Two-sided confidence in (0, 1). */
  readonly confidence: number;
  /** Number of resamples, at least 1; a few thousand for a report. */
  readonly resamples: number;
  readonly seed: number;
}

function withoutEach(values: Float64Array, estimator: Estimator): Float64Array {
  if (estimator.leaveOneOut !== undefined) return estimator.leaveOneOut(values);
  return values.map((_, skip) => estimator.of(values.filter((_, index) => index !== skip)));
}

/**
 * Returns the estimates of `resamples` samples, drawn with replacement, in order. The seed makes the result
 * reproducible.
 */
function bootstrapEstimates(
  values: Float64Array,
  estimator: Estimator,
  options: BootstrapOptions,
): Float64Array {
  const random = createRandom(options.seed);
  const draw = new Float64Array(values.length);
  const estimates = new Float64Array(options.resamples);
  for (let b = 0; b < estimates.length; b++) {
    random.draw(values, draw);
    estimates[b] = estimator.of(draw);
  }
  return estimates;
}

function between(ordered: Float64Array, low: number, high: number): Interval | null {
  const lower = percentileOfSorted(ordered, 100 * low);
  const upper = percentileOfSorted(ordered, 100 * high);
  return lower === null || upper === null ? null : { low: lower, high: upper };
}

/**
 * Returns the percentile interval: the α/2 and 1 − α/2 quantiles of the bootstrap estimates; null without
 * estimates.
 */
export function percentileInterval(estimates: Float64Array, confidence: number): Interval | null {
  const tail = normalCdf(-twoSidedZ(confidence));
  return between(estimates.toSorted(), tail, 1 - tail);
}

/**
 * Returns z₀: the distance of the estimate from the median of its bootstrap distribution; ties count half.
 */
function biasCorrection(estimates: Float64Array, estimate: number): number {
  let below = 0;
  for (const value of estimates) below += value < estimate ? 1 : value === estimate ? 0.5 : 0;
  const share = below / estimates.length;
  return share > 0 && share < 1 ? normalQuantile(share) : share === 0 ? -Infinity : Infinity;
}

/**
 * Returns â = Σd³ / (6·(Σd²)^1.5) over the deviations d of the jackknife from their mean; 0 if they are all
 * equal.
 */
function acceleration(leaveOneOut: Sample): number {
  const centre = mean(leaveOneOut) ?? 0;
  const deviations = Float64Array.from(leaveOneOut, (value) => centre - value);
  // Scales by the largest deviation: the ratio does not change, and tiny values do not vanish when cubed.
  const unit = deviations.reduce((largest, deviation) => Math.max(largest, Math.abs(deviation)), 0);
  if (unit === 0) return 0;
  const squares = deviations.map((deviation) => (deviation / unit) ** 2);
  const cubes = deviations.map((deviation) => (deviation / unit) ** 3);
  return sum(cubes) / (6 * sum(squares) ** 1.5);
}

/**
 * Returns the bias-corrected and accelerated interval from bootstrap estimates, the estimate and the
 * jackknife: the quantiles at Φ(z₀ + (z₀ ± z)/(1 − â(z₀ ± z))). Null if it is undefined: without estimates,
 * with all of them on one side of the estimate, or with too large an acceleration. Source: Efron, J. Amer.
 * Statist. Assoc. 82 (1987).
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

export type BootstrapMethod = "bca" | "percentile";

/**
 * Returns a bootstrap interval of any estimate, reproducible by its seed. Null for fewer than two values. If
 * all values are equal, both limits are that value. If BCa is undefined, the percentile interval is used.
 */
export function bootstrapInterval(
  values: Sample,
  estimator: Estimator,
  method: BootstrapMethod,
  options: BootstrapOptions,
): Interval | null {
  if (values.length < 2) return null;
  const own = Float64Array.from(values);
  const estimates = bootstrapEstimates(own, estimator, options);
  const estimate = estimator.of(own);
  if (estimates.every((value) => value === estimate)) return { low: estimate, high: estimate };
  const bca =
    method === "bca"
      ? bcaInterval(estimates, estimate, withoutEach(own, estimator), options.confidence)
      : null;
  return bca ?? percentileInterval(estimates, options.confidence);
}
