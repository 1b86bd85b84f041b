import type { Sample } from "../samples/moments.ts";
import { concatenate, rank, rankSum } from "./ranks.ts";
import { erfc } from "./normal.ts";

interface KruskalWallis {
  /** H statistic, corrected for ties; at least 0. */
  readonly h: number;
  readonly degrees: number;
  /** p-value by the chi-square distribution, in [0, 1]. */
  readonly p: number;
}

export interface Friedman {
  /** Test statistic, corrected for ties; at least 0. */
  readonly statistic: number;
  readonly degrees: number;
  /** p-value by the chi-square distribution, in [0, 1]. */
  readonly p: number;
}

/**
 * Returns Friedman's test for a difference between groups. A block has one value of each group, and values
 * are ranked within blocks: χ² = (12/(nk(k+1))·ΣR² − 3n(k+1)) / (1 − Σ(t³−t)/(nk(k²−1))). If all values of
 * each block are equal, the statistic is 0 and p is 1. Returns null for fewer than three groups or no block.
 * Source: Friedman, Journal of the American Statistical Association 32 (1937); SciPy's `friedmanchisquare`.
 */
export function friedman(blocks: readonly Sample[]): Friedman | null {
  const groups = blocks[0]?.length ?? 0;
  if (groups < 3) return null;
  const sums = new Float64Array(groups);
  let ties = 0;
  for (const block of blocks) {
    const ranking = rank(block);
    ties += ranking.ties;
    for (let at = 0; at < groups; at++) sums[at] = (sums[at] ?? 0) + (ranking.ranks[at] ?? 0);
  }
  const expected = (blocks.length * (groups + 1)) / 2;
  const squares = sums.reduce((total, sum) => total + (sum - expected) ** 2, 0);
  const correction = 1 - ties / (blocks.length * groups * (groups ** 2 - 1));
  const plain = (12 / (blocks.length * groups * (groups + 1))) * squares;
  const statistic = correction > 0 ? plain / correction : 0;
  return { statistic, degrees: groups - 1, p: chiSquareSurvival(statistic, groups - 1) };
}

/**
 * Returns P(X > x) of the chi-square distribution, in [0, 1]. For x ≤ 0, the result is 1. Uses the finite
 * sums 26.4.4 and 26.4.5 of Abramowitz and Stegun. Terms are added as logarithms, so that none overflows.
 * @throws RangeError unless `degrees` is an integer of at least 1
 */
export function chiSquareSurvival(x: number, degrees: number): number {
  if (!Number.isInteger(degrees) || degrees < 1) {
    throw new RangeError(`degrees of freedom must be a whole number of at least 1, got ${degrees}`);
  }
  if (x <= 0) return 1;
  const half = x / 2;
  const odd = degrees % 2 === 1;
  let sum = odd ? erfc(Math.sqrt(half)) : 0;
  // `term` is the logarithm of half^a e^-half / Γ(a+1), for a = 0, 1, … or a = ½, 3⁄2, …
  let term = odd ? Math.log(half) / 2 - half - Math.log(Math.PI) / 2 + Math.LN2 : -half;
  for (let a = odd ? 0.5 : 0; a < degrees / 2 - 0.25; a++) {
    sum += Math.exp(term);
    term += Math.log(half / (a + 1));
  }
  return Math.min(1, sum);
}

/**
 * Returns the Kruskal–Wallis H test for a difference between independent samples: H = (12/(N(N+1))·ΣR²/n −
 * 3(N+1)) / (1 − Σ(t³−t)/(N³−N)). Empty samples are left out. If all values are equal, H is 0 and p is 1.
 * Returns null for fewer than two samples with values. Source: Kruskal and Wallis, Journal of the American
 * Statistical Association 47 (1952); SciPy's `kruskal`.
 */
export function kruskalWallis(samples: readonly Sample[]): KruskalWallis | null {
  const filled = samples.filter((sample) => sample.length > 0);
  if (filled.length < 2) return null;
  const ranking = rank(concatenate(filled));
  const total = ranking.ranks.length;
  let weighted = 0;
  let start = 0;
  for (const sample of filled) {
    const end = start + sample.length;
    // Deviations from the mean rank are squared instead of the rank sums, so that H of equal samples is
    // exactly 0.
    weighted += (rankSum(ranking, start, end) - (sample.length * (total + 1)) / 2) ** 2 / sample.length;
    start = end;
  }
  const correction = 1 - ranking.ties / (total ** 3 - total);
  const h = correction > 0 ? ((12 / (total * (total + 1))) * weighted) / correction : 0;
  const degrees = filled.length - 1;
  return { h, degrees, p: chiSquareSurvival(h, degrees) };
}
