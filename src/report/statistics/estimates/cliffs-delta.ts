import type { Sample } from "../samples/moments.ts";
import { concatenate, rank, rankSum } from "../tests/ranks.ts";

/**
 * Cliff's delta: P(x > y) − P(x < y) for x from the first sample and y from the second; in [−1, 1], 0 when
 * neither tends to be larger. Null when a sample is empty. For yes/no values it is the difference of the two
 * rates. Source: Cliff, Psychological Bulletin 114 (1993); computed from ranks as 2U/(n₁n₂) − 1.
 */
export function cliffsDelta(first: Sample, second: Sample): number | null {
  const pairs = first.length * second.length;
  if (pairs === 0) return null;
  const ranking = rank(concatenate([first, second]));
  const u = rankSum(ranking, 0, first.length) - (first.length * (first.length + 1)) / 2;
  return (2 * u) / pairs - 1;
}

export type Magnitude = "negligible" | "small" | "medium" | "large";

/** How much a delta is, by the limits of Romano et al. (2006) that ProjectScylla uses: 0.11, 0.28, 0.43. */
export function magnitude(delta: number): Magnitude {
  const size = Math.abs(delta);
  if (size < 0.11) return "negligible";
  if (size < 0.28) return "small";
  return size < 0.43 ? "medium" : "large";
}
