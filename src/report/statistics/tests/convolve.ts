/** Returns the distribution of the sum of two independent counts with the given distributions. */
export function convolve(one: Float64Array, other: Float64Array): Float64Array {
  const result = new Float64Array(one.length + other.length - 1);
  for (const [i, chance] of one.entries()) {
    if (chance === 0) continue;
    for (const [j, next] of other.entries()) result[i + j] = (result[i + j] ?? 0) + chance * next;
  }
  return result;
}
