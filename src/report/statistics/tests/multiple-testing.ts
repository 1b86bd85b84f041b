/** Returns the indexes of the p-values in ascending order of the p-values. */
function ascending(pValues: readonly number[]): number[] {
  return pValues.map((_, index) => index).sort((a, b) => (pValues[a] ?? 0) - (pValues[b] ?? 0));
}

/**
 * Returns the p-values after Bonferroni's correction, in the given order: each p-value times the number of
 * tests, at most 1. The correction limits the probability of any false positive.
 */
export function bonferroni(pValues: readonly number[]): number[] {
  return pValues.map((p) => Math.min(1, p * pValues.length));
}

/**
 * Returns the p-values after Holm's step-down correction, in the given order. The i-th smallest of m p-values
 * is multiplied by (m − i + 1), made non-decreasing, and limited to 1. The correction limits the probability
 * of any false positive. Source: Holm, Scandinavian Journal of Statistics 6 (1979).
 */
export function holm(pValues: readonly number[]): number[] {
  const adjusted = pValues.slice();
  let largest = 0;
  for (const [step, index] of ascending(pValues).entries()) {
    largest = Math.max(largest, Math.min(1, (pValues[index] ?? 1) * (pValues.length - step)));
    adjusted[index] = largest;
  }
  return adjusted;
}

/**
 * Returns the p-values after Benjamini and Hochberg's step-up correction, in the given order. The i-th
 * smallest of m p-values is multiplied by m/i, made non-decreasing from the largest p-value down, and limited
 * to 1. The correction limits the share of false positives among the significant results. Source: J. Roy.
 * Statist. Soc. B 57 (1995).
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const adjusted = pValues.slice();
  const order = ascending(pValues);
  let smallest = 1;
  for (let step = order.length; step > 0; step--) {
    const index = order[step - 1] ?? 0;
    smallest = Math.min(smallest, ((pValues[index] ?? 1) * pValues.length) / step);
    adjusted[index] = smallest;
  }
  return adjusted;
}

/** Corrections by their names in `report --adjust`. */
export const adjustments = { holm, bh: benjaminiHochberg, bonferroni } as const;
export type Adjustment = keyof typeof adjustments;
