import { chiSquareSurvival } from "./chi-square.ts";
import type { Sample } from "../samples/moments.ts";
import { rank } from "./ranks.ts";

export interface Friedman {
  /** Corrected for ties; not negative. */
  readonly statistic: number;
  readonly degrees: number;
  /** From the chi-square distribution; in [0, 1]. */
  readonly p: number;
}

/**
 * Friedman's test: do several groups differ when each block (a query) holds one value of each group? Values
 * are ranked within their block: χ² = (12/(nk(k+1))·ΣR² − 3n(k+1)) / (1 − Σ(t³−t)/(nk(k²−1))). 0 and p 1 when
 * all values of every block are equal. Null for fewer than three groups or no block. Source: Friedman, J.
 * Amer. Statist. Assoc. 32 (1937); SciPy's `friedmanchisquare`.
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
