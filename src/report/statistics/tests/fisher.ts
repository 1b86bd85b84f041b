/** Counts of a 2 × 2 table, one row for each group: [passed, failed]. */
export type TwoByTwo = readonly [readonly [number, number], readonly [number, number]];

/**
 * Returns the probabilities of every possible count in the first cell, given the margins, up to a common
 * factor. The probabilities are computed outwards from the most likely count by the ratio of neighbours, so
 * no factorials can overflow.
 */
export function hypergeometricWeights(
  row: number,
  otherRow: number,
  column: number,
): { low: number; weights: Float64Array } {
  const low = Math.max(0, column - otherRow);
  const high = Math.min(row, column);
  const weights = new Float64Array(high - low + 1);
  const likely = Math.floor(((row + 1) * (column + 1)) / (row + otherRow + 2));
  const peak = Math.min(high, Math.max(low, likely));
  weights[peak - low] = 1;
  for (let x = peak; x < high; x++) {
    const ratio = ((row - x) * (column - x)) / ((x + 1) * (otherRow - column + x + 1));
    weights[x + 1 - low] = (weights[x - low] ?? 0) * ratio;
  }
  for (let x = peak; x > low; x--) {
    const ratio = (x * (otherRow - column + x)) / ((row - x + 1) * (column - x + 1));
    weights[x - 1 - low] = (weights[x - low] ?? 0) * ratio;
  }
  return { low, weights };
}

/** Throws RangeError unless all counts are whole and not negative. */
export function requireCounts(table: TwoByTwo): void {
  if (!table.flat().every((count) => Number.isSafeInteger(count) && count >= 0)) {
    throw new RangeError(`counts must be whole and not negative, got ${JSON.stringify(table)}`);
  }
}

/**
 * Returns the p-value of Fisher's exact test, one-sided: the probability, given the margins, of at least as
 * many failures in the second row as observed. In (0, 1]; 1 if a margin is zero. RangeError unless all counts
 * are whole and not negative.
 */
export function fisherGreater(table: TwoByTwo): number {
  const [[a, b], [c, d]] = table;
  requireCounts(table);
  const { low, weights } = hypergeometricWeights(c + d, a + b, b + d);
  let total = 0;
  let extreme = 0;
  for (const [at, weight] of weights.entries()) {
    total += weight;
    if (low + at >= d) extreme += weight;
  }
  return Math.min(1, extreme / total);
}

/**
 * Returns the p-value of Fisher's exact test, two-sided: the probability, given the margins, of a table that
 * is at most as likely as the observed one. In (0, 1]; 1 if a margin is zero. Tables count as equally likely
 * within 1e-7, as in R, so that rounding cannot split a tie. RangeError unless all counts are whole and not
 * negative.
 */
export function fisherExact(table: TwoByTwo): number {
  const [[a, b], [c, d]] = table;
  requireCounts(table);
  const { low, weights } = hypergeometricWeights(a + b, c + d, a + c);
  const seen = (weights[a - low] ?? 0) * (1 + 1e-7);
  let total = 0;
  let extreme = 0;
  for (const weight of weights) {
    total += weight;
    if (weight <= seen) extreme += weight;
  }
  return Math.min(1, extreme / total);
}
