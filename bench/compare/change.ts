import { percentileInterval } from "../../src/report/statistics/estimates/bootstrap.ts";
import type { Interval } from "../../src/report/statistics/estimates/interval.ts";
import { twoSidedZ } from "../../src/report/statistics/tests/normal.ts";
import { medianOfSorted } from "../../src/report/statistics/samples/quantiles.ts";
import { createRandom } from "../../src/report/statistics/samples/random.ts";

/** How far apart two figures are: the log of the ratio of their medians, or, for powers, which may be 0, the difference. */
export type Scale = "ratio" | "difference";

export interface Change extends Interval {
  readonly change: number;
}

const CONFIDENCE = 0.95;
const RESAMPLES = 4_000;
const SEED = 1;

/** Fewer tell nothing of how far rounds lie apart. */
export const LEAST_ROUNDS = 3;

/**
 * The change of the median from `before` to `after` with its 95 % interval: bootstrapped, the rounds drawn in pairs where there are equally many of
 * both, each by themselves else. As the quantiles of a few rounds' bootstrap lie too close together, the interval is widened by `widening` of the
 * rounds (of the run with fewer). The same samples give the same numbers. At least one round each; for "ratio" all above 0.
 */
export function changeOf(before: readonly number[], after: readonly number[], scale: Scale): Change {
  const apart = (old: Float64Array, now: Float64Array): number => {
    const [from, to] = [medianOf(old), medianOf(now)];
    return scale === "ratio" ? Math.log(to / from) : to - from;
  };
  const [old, now] = [Float64Array.from(before), Float64Array.from(after)];
  const change = apart(Float64Array.from(old), Float64Array.from(now));
  const drawn = drawing(old, now);
  const estimates = Float64Array.from({ length: RESAMPLES }, () => apart(...drawn()));
  const { low, high } = percentileInterval(estimates, CONFIDENCE) ?? { low: change, high: change };
  const wide = widening(Math.min(before.length, after.length));
  return {
    change,
    low: change - wide * Math.max(0, change - low),
    high: change + wide * Math.max(0, high - change),
  };
}

/** Gives two samples, drawn with replacement, at each call; the same arrays each time. */
function drawing(old: Float64Array, now: Float64Array): () => [Float64Array, Float64Array] {
  const random = createRandom(SEED);
  const [fromOld, fromNow] = [new Float64Array(old.length), new Float64Array(now.length)];
  if (old.length !== now.length)
    return () => {
      random.draw(old, fromOld);
      random.draw(now, fromNow);
      return [fromOld, fromNow];
    };
  return () => {
    for (let at = 0; at < old.length; at++) {
      const round = random.below(old.length);
      fromOld[at] = old[round] ?? Number.NaN;
      fromNow[at] = now[round] ?? Number.NaN;
    }
    return [fromOld, fromNow];
  };
}

/** Sorts them where they are. */
function medianOf(values: Float64Array): number {
  return medianOfSorted(values.sort()) ?? Number.NaN;
}

/**
 * What a bootstrap interval of so many values has to be widened by: √(n/(n − 1)) for the variance, which a resample has too little of, times
 * Student's quantile over the normal one. Source: Hesterberg, What Teachers Should Know About the Bootstrap, Amer. Statist. 69 (2015).
 */
export function widening(rounds: number): number {
  if (rounds < 2) return Infinity;
  return Math.sqrt(rounds / (rounds - 1)) * (studentQuantile(rounds - 1) / twoSidedZ(CONFIDENCE));
}

/** Student's t of 95 %, by the expansion in 1/ν of Cornish and Fisher: 1 % too low for 2 degrees of freedom, exact to 0.1 % from 4 on. */
function studentQuantile(degrees: number): number {
  const z = twoSidedZ(CONFIDENCE);
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, at) => sum + term / degrees ** (at + 1), z);
}

/** With how many rounds an interval that reaches `half` to a side would reach less than `wanted`; null for more than 999. */
export function roundsFor(wanted: number, half: number, rounds: number): number | null {
  const unit = (half * Math.sqrt(rounds)) / widening(rounds);
  for (let enough = rounds + 1; enough <= 999; enough++)
    if ((unit * widening(enough)) / Math.sqrt(enough) < wanted) return enough;
  return null;
}
