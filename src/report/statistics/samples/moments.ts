/** Numbers in any array-like container, without holes, NaN or infinities. */
export type Sample = ArrayLike<number>;

/** Returns a sorted copy, smallest first. */
export function sorted(values: Sample): Float64Array {
  return Float64Array.from(values).sort();
}

/**
 * Returns Σ values with Neumaier's compensation, so that the rounding error does not grow with the count. 0
 * for none.
 */
export function sum(values: Sample): number {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/** Returns Σx/n, limited to the range of the values, so that equal values have exactly their own mean. */
export function mean(values: Sample): number | null {
  if (values.length === 0) return null;
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return Math.min(max, Math.max(min, sum(values) / values.length));
}

function squaredDeviations(values: Sample): number {
  const centre = mean(values) ?? 0;
  const squares = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) squares[i] = ((values[i] ?? 0) - centre) ** 2;
  return sum(squares);
}

/** Returns Σ(x − mean)²/n (ProjectScylla's metrics document); null for no values. Never negative. */
export function populationVariance(values: Sample): number | null {
  return values.length === 0 ? null : squaredDeviations(values) / values.length;
}

/** Returns Σ(x − mean)²/(n − 1); null for fewer than two values. Never negative. */
export function sampleVariance(values: Sample): number | null {
  return values.length < 2 ? null : squaredDeviations(values) / (values.length - 1);
}

/** Returns the square root of the population variance; null for no values. */
export function populationStdDev(values: Sample): number | null {
  const variance = populationVariance(values);
  return variance === null ? null : Math.sqrt(variance);
}

/** Returns the square root of the sample variance; null for fewer than two values. */
export function sampleStdDev(values: Sample): number | null {
  const variance = sampleVariance(values);
  return variance === null ? null : Math.sqrt(variance);
}
