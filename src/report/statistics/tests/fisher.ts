/** Counts of a 2 × 2 table. Each row has the counts [passed, failed] of one group. */
export type TwoByTwo = readonly [readonly [number, number], readonly [number, number]];

/**
 * Returns the probability of each possible count in the first cell, up to a common factor, for fixed sums of
 * rows and columns. Index 0 is for the count `low`. Each probability is computed from its neighbour,
 * beginning with the most likely count, so that nothing overflows.
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

/** Throws a RangeError unless all counts are integers of at least 0. */
export function requireCounts(table: TwoByTwo): void {
  if (!table.flat().every((count) => Number.isSafeInteger(count) && count >= 0)) {
    throw new RangeError(`counts must be whole and not negative, got ${JSON.stringify(table)}`);
  }
}

/**
 * Returns the one-sided p-value of Fisher's exact test, in (0, 1]: the probability of at least as many
 * failures in the second row, if the sums of rows and columns are fixed. Returns 1 if the sum of a row or
 * column is zero.
 * @throws RangeError unless all counts are integers of at least 0
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
 * Returns the two-sided p-value of Fisher's exact test, in (0, 1]: the probability of a table that is at most
 * as likely as the observed table, if the sums of rows and columns are fixed. As in R, probabilities within a
 * factor of 1 + 1e-7 count as equal, so that rounding errors do not break ties. Returns 1 if the sum of a row
 * or column is zero.
 * @throws RangeError unless all counts are integers of at least 0
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
