/** A list of finite numbers without holes. */
export type Sample = ArrayLike<number>;

export function sorted(values: Sample): Float64Array {
  return Float64Array.from(values).sort();
}

/**
 * Returns the sum of the values, or 0 for no values. Neumaier's compensation keeps the rounding error
 * independent of the number of values.
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

/**
 * Returns the mean, or null for no values. The result is limited to the range of the values, so that the mean
 * of equal values is exact.
 */
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

/** Returns Σ(x − mean)²/n, the variance that ProjectScylla documents, or null for no values. */
export function populationVariance(values: Sample): number | null {
  return values.length === 0 ? null : squaredDeviations(values) / values.length;
}

/** Returns Σ(x − mean)²/(n − 1), or null for fewer than two values. */
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
