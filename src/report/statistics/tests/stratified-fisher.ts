import { convolve } from "./convolve.ts";
import { hypergeometricWeights, requireCounts, type TwoByTwo } from "./fisher.ts";

export interface StratifiedFisher {
  /** Two-sided p-value in (0, 1]. */
  readonly p: number;
  /**
   * Mantel and Haenszel's difference of the rates: second row minus first row. The difference of each table
   * has the weight n₁n₂/(n₁ + n₂).
   */
  readonly difference: number;
}

function sharesOf([[a, b], [c, d]]: TwoByTwo): { low: number; shares: Float64Array } {
  const { low, weights } = hypergeometricWeights(a + b, c + d, a + c);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { low, shares: weights.map((weight) => weight / total) };
}

/**
 * Returns the two-sided Fisher's exact test over several 2 × 2 tables. The test is the exact conditional Cochran–Mantel–Haenszel test; for
 * one table, it is Fisher's exact test. For fixed sums of rows and columns, the p-value is the probability of a sum of the first cells that
 * is at most as likely as the observed sum. Tables with an empty row are left out; returns null if every table has an empty row. Source:
 * Mantel and Haenszel, Journal of the National Cancer Institute 22 (1959); R's `mantelhaen.test(exact)`.
 */
export function stratifiedFisher(tables: readonly TwoByTwo[]): StratifiedFisher | null {
  tables.forEach(requireCounts);
  const filled = tables.filter(([[a, b], [c, d]]) => a + b > 0 && c + d > 0);
  if (filled.length === 0) return null;
  let first = 0;
  let shares: Float64Array = Float64Array.of(1);
  let excess = 0;
  let weight = 0;
  for (const table of filled) {
    const [[a, b], [c, d]] = table;
    const stratum = sharesOf(table);
    first += a - stratum.low;
    shares = convolve(shares, stratum.shares);
    excess += (c * (a + b) - a * (c + d)) / (a + b + c + d);
    weight += ((a + b) * (c + d)) / (a + b + c + d);
  }
  const seen = (shares[first] ?? 0) * (1 + 1e-7);
  const extreme = shares.reduce((sum, share) => (share <= seen ? sum + share : sum), 0);
  return { p: Math.min(1, extreme), difference: excess / weight };
}
