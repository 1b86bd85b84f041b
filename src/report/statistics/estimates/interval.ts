import { mean, sampleStdDev, type Sample } from "../samples/moments.ts";
import { twoSidedZ } from "../tests/normal.ts";

/** A two-sided interval; `low` ≤ `high`. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Returns the Wilson bounds for a success count that may be fractional. */
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
 * Returns Wilson's score interval of a rate: all p₀ that a two-sided score test at 1 − confidence does not
 * reject, (p̂ + z²/2n ± z·√(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n). The interval is within [0, 1], contains the
 * observed rate, and is usable for few trials and rates of 0 or 1. Null for no trials; RangeError unless 0 ≤
 * successes ≤ trials. Source: Wilson, J. Amer. Statist. Assoc. 22 (1927).
 */
export function wilsonInterval(successes: number, trials: number, confidence: number): Interval | null {
  if (!(successes >= 0 && successes <= trials)) {
    throw new RangeError(`successes must lie between 0 and ${trials} trials, got ${successes}`);
  }
  const z = twoSidedZ(confidence);
  return trials === 0 ? null : wilsonBounds(successes, trials, z);
}

/**
 * Returns mean ± z·s/√n with the sample standard deviation, as EvalView, which rounds z to 1.645, 1.96 and
 * 2.576 and supports only these three levels; here any confidence is possible. The interval is too narrow for
 * few values. A single value gives [x, x] as in EvalView; no value gives null.
 */
export function zInterval(values: Sample, confidence: number): Interval | null {
  const z = twoSidedZ(confidence);
  const centre = mean(values);
  if (centre === null) return null;
  const half = (z * (sampleStdDev(values) ?? 0)) / Math.sqrt(values.length);
  return { low: centre - half, high: centre + half };
}
