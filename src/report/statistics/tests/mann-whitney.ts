import type { Sample } from "../samples/moments.ts";
import { normalSurvival } from "./normal.ts";
import { concatenate, rank, rankSum } from "./ranks.ts";

export interface MannWhitney {
  /**
   * U of the first sample, in [0, n₁n₂]: the number of pairs in which the first sample has the larger value.
   * A pair of equal values adds one half.
   */
  readonly u: number;
  /** Two-sided p-value in [0, 1]. */
  readonly p: number;
  readonly method: "exact" | "asymptotic";
}

/**
 * Maximum size of the smaller sample for the exact distribution. For larger samples, or more pairs than `exactPairs`, the normal
 * approximation is accurate enough.
 */
const exactUpTo = 8;
const exactPairs = 4_000;

/**
 * Returns P(U ≥ u) for samples without equal values. The distribution for the sizes (m, n) is computed from
 * those for (m − 1, n) and (m, n − 1), depending on which sample has the largest value. Only positive terms
 * are added, so no precision is lost.
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
 * Returns the two-sided Mann–Whitney U test of two independent samples; null if a sample is empty. p is 1 if
 * all values are equal. The test is exact if no values are equal, one sample has at most eight values, and
 * there are at most 4,000 pairs. In other cases, the test uses the normal approximation with tie and
 * continuity corrections. Both variants agree with SciPy's `mannwhitneyu`. Source: Mann and Whitney, Annals
 * of Mathematical Statistics 18 (1947).
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
