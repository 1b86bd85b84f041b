import { hypergeometricWeights } from "../tests/fisher.ts";
import { normalQuantile, normalSurvival } from "../tests/normal.ts";
import { rank } from "../tests/ranks.ts";

/** Observations of one period as scores, with which splits are tested. */
export interface Scores {
  readonly scores: Float64Array;
  readonly mean: number;
  /** Variance of the scores with divisor n − 1. */
  readonly variance: number;
  /** Whether every score is 0 or 1, so that probabilities can be computed exactly. */
  readonly isBinary: boolean;
  /** −1 if a larger score means a smaller value, otherwise 1. */
  readonly sign: 1 | -1;
}

/**
 * Returns a score for each observation: its mid-rank, which is robust to outliers. The scores are 0 and 1 instead if there are only two
 * different values, or if one value is more frequent than all others together. With such a frequent value, 1 marks the values above it or,
 * if more values are below it, the values below it.
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

/**
 * Returns the value of more than half of the observations, by Boyer and Moore's majority vote. Without a
 * majority, returns the smaller of two different values, or null if there are more than two values.
 */
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

/**
 * |z| below which the normal approximation is used for scores of 0 and 1; for other scores it is always used. A smaller |z| is significant
 * neither by the approximation nor by the exact method.
 */
const UNSUSPICIOUS = 2.5;
/**
 * Smallest probability that is converted into a z. Smaller probabilities are computed by the normal
 * approximation.
 */
const LEAST = 1e-250;

/**
 * Returns the difference between the first `count` observations and all later ones, as a standard normal z.
 * The z is positive if the first observations have larger scores. The null hypothesis is that all orders of
 * the observations are equally likely.
 * @param sum sum of the scores of the first observations
 */
export function splitScore({ scores, mean, variance, isBinary }: Scores, count: number, sum: number): number {
  const total = scores.length;
  const rest = total - count;
  if (variance === 0 || count === 0 || rest === 0) return 0;
  const z = (sum - count * mean) / Math.sqrt((variance * count * rest) / total);
  if (!isBinary || Math.abs(z) < UNSUSPICIOUS) return z;
  return Math.sign(z) * exactScore(count, rest, Math.round(mean * total), Math.round(sum), z);
}

/**
 * Returns the |z| whose normal tail probability equals the tail of the hypergeometric distribution. Half of
 * the probability of the observed value counts as tail (mid-p).
 */
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

export function chanceOf(z: number): number {
  return Math.min(1, 2 * normalSurvival(Math.abs(z)));
}
