import type { Sample } from "../samples/moments.ts";
import { normalSurvival } from "./normal.ts";
import { concatenate, rank, rankSum } from "./ranks.ts";

export interface MannWhitney {
  /** U of the first sample: number of pairs in which it is larger, ties counted half; in [0, n₁n₂]. */
  readonly u: number;
  /** Two-sided p-value in [0, 1]. */
  readonly p: number;
  readonly method: "exact" | "asymptotic";
}

/**
 * Maximum size of the smaller sample for the exact distribution. Above it, or above this many pairs, the
 * normal distribution is close.
 */
const exactUpTo = 8;
const exactPairs = 4_000;

/**
 * Returns P(U ≥ u) if no two values are equal. The distribution for sample sizes (m, n) is computed from the
 * distributions for (m − 1, n) and (m, n − 1), by the sample that has the largest value. All terms are positive, so no
 * digits cancel.
 */
function exactSurvival(u: number, few: number, many: number): number {
  let previous: Float64Array[] = [];
  for (let m = 0; m <= few; m++) {
    const current: Float64Array[] = [];
    for (let n = 0; n <= many; n++) {
      const chances = new Float64Array(m * n + 1);
      const first = previous[n];
      const second = current[n - 1];
      if (first === undefined || second === undefined) chances[0] = 1;
      else {
        for (let i = 0; i < first.length; i++) chances[i + n] = (m / (m + n)) * (first[i] ?? 0);
        for (let i = 0; i < second.length; i++) {
          chances[i] = (chances[i] ?? 0) + (n / (m + n)) * (second[i] ?? 0);
        }
      }
      current.push(chances);
    }
    previous = current;
  }
  let tail = 0;
  for (const chance of (previous[many] ?? new Float64Array()).subarray(u)) tail += chance;
  return tail;
}

/**
 * Mann–Whitney U test of two independent samples, two-sided. The test is exact if no values are equal and one
 * sample has at most eight values (and there are at most 4,000 pairs); otherwise the normal approximation
 * with tie and continuity correction is used. Both methods are as in SciPy's `mannwhitneyu`. Null if a sample
 * is empty; p is 1 if all values are equal. Source: Mann and Whitney, Ann. Math. Statist. 18 (1947).
 */
export function mannWhitney(first: Sample, second: Sample): MannWhitney | null {
  const pairs = first.length * second.length;
  if (pairs === 0) return null;
  const total = first.length + second.length;
  const ranking = rank(concatenate([first, second]));
  const u = rankSum(ranking, 0, first.length) - (first.length * (first.length + 1)) / 2;
  const larger = Math.max(u, pairs - u);
  const few = Math.min(first.length, second.length);
  if (ranking.ties === 0 && few <= exactUpTo && pairs <= exactPairs) {
    return { u, p: Math.min(1, 2 * exactSurvival(larger, few, total - few)), method: "exact" };
  }
  const variance = (pairs / 12) * (total + 1 - ranking.ties / (total * (total - 1)));
  const z = (larger - pairs / 2 - 0.5) / Math.sqrt(variance);
  return { u, p: variance > 0 ? Math.min(1, 2 * normalSurvival(z)) : 1, method: "asymptotic" };
}
