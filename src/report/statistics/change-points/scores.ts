import { hypergeometricWeights } from "../tests/fisher.ts";
import { normalQuantile, normalSurvival } from "../tests/normal.ts";
import { rank } from "../tests/ranks.ts";

/** Inputs for testing splits of the observations of one time range. */
export interface Scores {
  /** One for each observation. */
  readonly scores: Float64Array;
  readonly mean: number;
  /** With divisor n − 1. */
  readonly variance: number;
  /** Each score is 0 or 1: chances are counted out instead of approximated. */
  readonly isBinary: boolean;
  /** −1 where a greater score belongs to a smaller value. */
  readonly sign: 1 | -1;
}

/**
 * Scores for comparing observations: mid-ranks, which are robust to outliers. With only two values, or with more than half of the values
 * equal, 0 and 1 (then: whether a value is beyond the majority value, on the side with more).
 */
export function scoresOf(values: Float64Array): Scores {
  const common = commonValue(values);
  const sign = common !== null && isMoreBelow(values, common) ? -1 : 1;
  const scores = common === null ? rank(values).ranks : beyond(values, common, sign);
  let total = 0;
  for (const score of scores) total += score;
  const mean = total / scores.length;
  let squares = 0;
  for (const score of scores) squares += (score - mean) ** 2;
  return {
    scores,
    mean,
    variance: scores.length < 2 ? 0 : squares / (scores.length - 1),
    isBinary: common !== null,
    sign,
  };
}

/** The value that more than half of the observations have (Boyer and Moore's vote); null when there is none. */
function commonValue(values: Float64Array): number | null {
  let candidate = Number.NaN;
  let votes = 0;
  for (const value of values) {
    if (votes === 0) candidate = value;
    votes += value === candidate ? 1 : -1;
  }
  let count = 0;
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value === candidate) count++;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (2 * count > values.length) return candidate;
  return isTwoValued(values, least, most) ? least : null;
}

function isTwoValued(values: Float64Array, least: number, most: number): boolean {
  return values.every((value) => value === least || value === most);
}

function isMoreBelow(values: Float64Array, common: number): boolean {
  let balance = 0;
  for (const value of values) balance += Math.sign(value - common);
  return balance < 0;
}

function beyond(values: Float64Array, common: number, sign: 1 | -1): Float64Array {
  return values.map((value) => (sign * (value - common) > 0 ? 1 : 0));
}

/** Below this the normal approximation and the exact chance lead to the same: no change. */
const UNSUSPICIOUS = 2.5;
/** Chances that are smaller are not distinguished. */
const LEAST = 1e-250;

/**
 * How far the first `count` of all observations are from the rest, as a standard normal z (positive when they are larger), given the sum of
 * their scores, as if observations had come in any order.
 */
export function splitScore({ scores, mean, variance, isBinary }: Scores, count: number, sum: number): number {
  const total = scores.length;
  const rest = total - count;
  if (variance === 0 || count === 0 || rest === 0) return 0;
  const z = (sum - count * mean) / Math.sqrt((variance * count * rest) / total);
  if (!isBinary || Math.abs(z) < UNSUSPICIOUS) return z;
  return Math.sign(z) * exactScore(count, rest, Math.round(mean * total), Math.round(sum), z);
}

/** |z| of the same chance as the hypergeometric tail, in which the outcome itself counts by half (mid-p). */
function exactScore(count: number, rest: number, ones: number, found: number, z: number): number {
  const { low, weights } = hypergeometricWeights(count, rest, ones);
  let total = 0;
  let tail = 0;
  for (const [at, weight] of weights.entries()) {
    total += weight;
    const isBeyond = z > 0 ? at + low > found : at + low < found;
    tail += isBeyond ? weight : at + low === found ? weight / 2 : 0;
  }
  const chance = tail / total;
  return chance < LEAST ? Math.abs(z) : chance >= 0.5 ? 0 : -normalQuantile(chance);
}

/** Two-sided. */
export function chanceOf(z: number): number {
  return Math.min(1, 2 * normalSurvival(Math.abs(z)));
}
