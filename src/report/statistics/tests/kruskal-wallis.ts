import { chiSquareSurvival } from "./chi-square.ts";
import type { Sample } from "../samples/moments.ts";
import { concatenate, rank, rankSum } from "./ranks.ts";

export interface KruskalWallis {
  /** Corrected for ties; not negative. */
  readonly h: number;
  readonly degrees: number;
  /** From the chi-square distribution; in [0, 1]. */
  readonly p: number;
}

/**
 * Kruskal–Wallis H test: do several independent samples come from one distribution? H = (12/(N(N+1))·ΣR²/n −
 * 3(N+1)) / (1 − Σ(t³−t)/(N³−N)). Empty samples are left out; null for fewer than two others. H is 0 and p 1
 * when all values are equal. Source: Kruskal and Wallis, J. Amer. Statist. Assoc. 47 (1952); SciPy.
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
    // Deviations from the mean rank, not the raw sum of squares: the same, but H of equal samples is exactly 0.
    weighted += (rankSum(ranking, start, end) - (sample.length * (total + 1)) / 2) ** 2 / sample.length;
    start = end;
  }
  const correction = 1 - ranking.ties / (total ** 3 - total);
  const h = correction > 0 ? ((12 / (total * (total + 1))) * weighted) / correction : 0;
  const degrees = filled.length - 1;
  return { h, degrees, p: chiSquareSurvival(h, degrees) };
}
