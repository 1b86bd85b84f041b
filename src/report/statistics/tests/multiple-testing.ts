/** Returns the positions of the p-values, smallest first. */
function ascending(pValues: readonly number[]): number[] {
  return pValues.map((_, index) => index).sort((a, b) => (pValues[a] ?? 0) - (pValues[b] ?? 0));
}

/**
 * Returns each p-value times the number of tests, at most 1, in the given order. The correction controls the
 * probability of any false positive.
 */
export function bonferroni(pValues: readonly number[]): number[] {
  return pValues.map((p) => Math.min(1, p * pValues.length));
}

/**
 * Holm's step-down correction: the i-th smallest p-value times (m − i + 1), made non-decreasing, at most 1.
 * The correction controls the probability of any false positive and never exceeds Bonferroni's. Results are
 * in the given order, and never below the p-value itself. Source: Holm, Scand. J. Statist. 6 (1979).
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
 * Benjamini and Hochberg's step-up correction: the i-th smallest p-value times m/i, made non-decreasing from
 * the largest down, at most 1. The correction controls the share of false positives among the findings.
 * Results are in the given order. Source: J. Roy. Statist. Soc. B 57 (1995).
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

/** The corrections of `report --adjust`. */
export const adjustments = { holm, bh: benjaminiHochberg, bonferroni } as const;
export type Adjustment = keyof typeof adjustments;
