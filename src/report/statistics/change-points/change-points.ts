import { type Bin, binsOf, type TimeSeries } from "./bins.ts";
import { chanceOf, type Scores, scoresOf, splitScore } from "./scores.ts";
import { normalSurvival } from "../tests/normal.ts";

const STEPS = 48;

/**
 * Significance level of one test of a series. If the last thirty days are tested every day, about 1.25 % of
 * the series without a change report a change within a month. With four series for each query, 5 % of the
 * queries without a change report a change.
 */
const SIGNIFICANCE = 0.001;

/**
 * Width of the confidence interval of a change's time. A split is plausible if its z² is at most this much below the largest z². The value
 * is the 95 % limit of the likelihood ratio. Source: Hansen, Econometrica 68 (2000).
 */
const FALL_OF_SQUARED_Z = 7.35;
/** Minimum number of runs before and after a change. */
const LEAST_RUNS = 5;
/** Minimum number of bins for estimating the variance between bins. */
const LEAST_BINS = 9;

export interface ChangePoint {
  /** Time of the first run after the change. */
  readonly atUnixMs: number;
  /**
   * Lower limit of the 95 % confidence interval of the change's time. `highUnixMs` is the upper limit of the
   * interval. The interval begins with the last run before the earliest plausible split, and ends with the
   * first run after the latest plausible split.
   */
  readonly lowUnixMs: number;
  readonly highUnixMs: number;
  /** p-value of the change, corrected for the number of splits that were tested. */
  readonly p: number;
  readonly direction: "up" | "down";
  /**
   * Indexes in the series: `from` to `at` are the values before the change, `at` to `to` are the values after the change. `at` and `to` are
   * exclusive ends.
   */
  readonly from: number;
  readonly at: number;
  readonly to: number;
}

interface Split {
  readonly bin: number;
  readonly z: number;
}

/**
 * Returns the changes of the level of a series, in time order. The series is split where the values before and after differ most. The split
 * is a change if its p-value is at most `SIGNIFICANCE`. The values before a change, and those after it, are split again in the same way. If
 * bins differ by more than chance, the p-values of splits are increased. A series of fewer than ten values has no changes.
 */
export function changePoints(series: TimeSeries, binMs: number): ChangePoint[] {
  const bins = binsOf(series, binMs);
  return withoutMixedBins(changesWithin(series, bins), bins);
}

/**
 * Merges two changes of the same direction that are one bin apart. One change in the middle of a day causes two, because the bin of this
 * day contains values of both levels.
 */
function withoutMixedBins(changes: readonly ChangePoint[], bins: readonly Bin[]): ChangePoint[] {
  const binAt = (position: number): number => bins.findIndex(({ from }) => from === position);
  const joined: ChangePoint[] = [];
  for (const change of changes) {
    const before = joined.at(-1);
    const isMixed = before?.direction === change.direction && binAt(change.at) - binAt(before.at) === 1;
    if (before === undefined || !isMixed) {
      joined.push(change);
      continue;
    }
    const clearer = before.p <= change.p ? before : change;
    joined[joined.length - 1] = {
      ...clearer,
      lowUnixMs: before.lowUnixMs,
      highUnixMs: change.highUnixMs,
      from: before.from,
      to: change.to,
    };
  }
  return joined;
}

function changesWithin(series: TimeSeries, bins: readonly Bin[]): ChangePoint[] {
  const from = bins[0]?.from ?? 0;
  const to = bins.at(-1)?.to ?? 0;
  if (bins.length < 2 || to - from < 2 * LEAST_RUNS) return [];
  const scores = scoresOf(series.values.subarray(from, to));
  const splits = splitsOf(scores, bins);
  const best = splits.reduce((a, b) => (Math.abs(b.z) > Math.abs(a.z) ? b : a), { bin: 0, z: 0 });
  const left = bins.slice(0, best.bin);
  const right = bins.slice(best.bin);
  if (best.z === 0 || chanceOf(best.z) > SIGNIFICANCE) return [];
  const p = chanceOfMaximum(
    Math.abs(best.z),
    bins.map((bin) => bin.to - bin.from),
  );
  if (p > SIGNIFICANCE) return [];
  const change = describeChange(series, bins, splits, { best, sign: scores.sign, p });
  const before = changesWithin(series, left);
  const after = changesWithin(series, right);
  return [
    ...before,
    { ...change, from: before.at(-1)?.at ?? change.from, to: after[0]?.at ?? change.to },
    ...after,
  ];
}

/** Returns the splits between bins that have enough runs before and after them. */
function splitsOf(scores: Scores, bins: readonly Bin[]): Split[] {
  const first = bins[0]?.from ?? 0;
  const total = scores.scores.length;
  const sums = bins.map((bin) => sumOf(scores.scores, bin.from - first, bin.to - first));
  const inflation = Math.sqrt(spreadBetween(scores, bins, sums));
  const splits: Split[] = [];
  let count = 0;
  let sum = 0;
  for (let bin = 1; bin < bins.length; bin++) {
    const last = bins[bin - 1];
    count += last === undefined ? 0 : last.to - last.from;
    sum += sums[bin - 1] ?? 0;
    if (count < LEAST_RUNS || total - count < LEAST_RUNS) continue;
    splits.push({ bin, z: splitScore(scores, count, sum) / inflation });
  }
  return splits;
}

function sumOf(scores: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += scores[i] ?? 0;
  return sum;
}

/**
 * Returns how much the means of neighbouring bins vary, as a multiple of the variance of independent runs.
 * Returns 1 for fewer than `LEAST_BINS` bins, or if the means do not vary significantly more than independent
 * runs do. The estimate uses von Neumann's squared differences, in which a change of the level affects only
 * one difference.
 */
function spreadBetween({ variance }: Scores, bins: readonly Bin[], sums: readonly number[]): number {
  if (bins.length < LEAST_BINS || variance === 0) return 1;
  let total = 0;
  for (let i = 1; i < bins.length; i++) {
    const [a, b] = [bins[i - 1], bins[i]];
    if (a === undefined || b === undefined) continue;
    const [countA, countB] = [a.to - a.from, b.to - b.from];
    const difference = (sums[i] ?? 0) / countB - (sums[i - 1] ?? 0) / countA;
    total += difference ** 2 / (variance * (1 / countA + 1 / countB));
  }
  const differences = bins.length - 1;
  const ratio = total / differences;
  // Neighbouring squares have a correlation of one half, so the variance of their mean is 3 / n.
  return ratio > 1 + 2.33 * Math.sqrt(3 / differences) ? ratio : 1;
}

function describeChange(
  { times }: TimeSeries,
  bins: readonly Bin[],
  splits: readonly Split[],
  { best, sign, p }: { readonly best: Split; readonly sign: 1 | -1; readonly p: number },
): ChangePoint {
  const plausible = splits.filter(
    ({ z }) => Math.sign(z) === Math.sign(best.z) && best.z ** 2 - z ** 2 <= FALL_OF_SQUARED_Z,
  );
  const at = bins[best.bin]?.from ?? 0;
  const earliest = bins[(plausible[0]?.bin ?? best.bin) - 1]?.to ?? at;
  const latest = bins[plausible.at(-1)?.bin ?? best.bin]?.from ?? at;
  return {
    atUnixMs: times[at] ?? 0,
    lowUnixMs: times[earliest - 1] ?? 0,
    highUnixMs: times[latest] ?? 0,
    p,
    direction: sign * best.z > 0 ? "down" : "up",
    from: bins[0]?.from ?? 0,
    at,
    to: bins.at(-1)?.to ?? 0,
  };
}

/**
 * Returns P(|X| > b and |Y| > b) for two standard normal variables with correlation `rho`.
 * The integral over X is computed by Simpson's rule.
 */
function bothBeyond(b: number, rho: number): number {
  const spread = Math.sqrt(Math.max(1e-12, 1 - rho * rho));
  const width = 12 / Math.max(b, 1.5) / STEPS;
  let total = 0;
  for (let i = 0; i <= STEPS; i++) {
    const x = b + i * width;
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    const beyond = normalSurvival((b - rho * x) / spread) + normalSurvival((b + rho * x) / spread);
    total += (i === 0 || i === STEPS ? 1 : i % 2 === 1 ? 4 : 2) * density * beyond;
  }
  return (2 * total * width) / 3;
}

/**
 * Returns the probability that the largest |z| of all splits of an unchanged series reaches `b`, from 0 to 1. Neighbouring splits share
 * observations, so their z values are correlated. The result is an upper bound: a case is counted twice only if the z values of two splits
 * exceed `b`, and the z value of a split between these two does not. Source: Worsley, "Testing for a two-phase multiple regression" and "An
 * improved Bonferroni inequality", Biometrika 69 (1982).
 * @param counts number of observations in each bin, at least 1. The splits are between bins
 */
export function chanceOfMaximum(b: number, counts: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i] ?? 0;
  const splits = counts.length - 1;
  const one = 2 * normalSurvival(b);
  let chance = splits * one;
  let before = counts[0] ?? 0;
  for (let split = 1; split < splits; split++) {
    const next = before + (counts[split] ?? 0);
    chance -= bothBeyond(b, Math.sqrt((before * (total - next)) / (next * (total - before))));
    before = next;
  }
  return Math.min(1, Math.max(chance, one));
}
