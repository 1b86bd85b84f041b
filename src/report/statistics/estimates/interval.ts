import { mean, sampleStdDev, type Sample } from "../samples/moments.ts";
import { twoSidedZ } from "../tests/normal.ts";

/** A two-sided interval with `low` ≤ `high`. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Returns Wilson's interval. The number of successes may be fractional. */
function wilsonBounds(successes: number, trials: number, z: number): Interval {
  const rate = successes / trials;
  const shrink = 1 + (z * z) / trials;
  const centre = (rate + (z * z) / (2 * trials)) / shrink;
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / trials + (z / (2 * trials)) ** 2);
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === trials ? 1 : Math.min(1, centre + half),
  };
}

/**
 * Returns Wilson's score interval of a rate: (p̂ + z²/2n ± z·√(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n). The
 * interval contains the rates that a two-sided score test at level 1 − confidence does not reject. The
 * interval is within [0, 1], contains p̂, and is usable for few trials and for rates of 0 or 1. Returns null
 * for no trials. Source: Wilson, Journal of the American Statistical Association 22 (1927).
 * @throws RangeError unless 0 ≤ successes ≤ trials
 */
export function wilsonInterval(successes: number, trials: number, confidence: number): Interval | null {
  if (!(successes >= 0 && successes <= trials)) {
    throw new RangeError(`successes must lie between 0 and ${trials} trials, got ${successes}`);
  }
  const z = twoSidedZ(confidence);
  return trials === 0 ? null : wilsonBounds(successes, trials, z);
}

/**
 * Returns mean ± z·s/√n, where s is the sample standard deviation. For few values, the interval is too
 * narrow. A single value x gives [x, x], no value gives null. EvalView computes the same interval for three
 * confidences, with a rounded z.
 */
export function zInterval(values: Sample, confidence: number): Interval | null {
  const z = twoSidedZ(confidence);
  const centre = mean(values);
  if (centre === null) return null;
  const half = (z * (sampleStdDev(values) ?? 0)) / Math.sqrt(values.length);
  return { low: centre - half, high: centre + half };
}
