/** Returns the distribution of the sum of two independent counts with the given distributions. */
export function convolve(one: Float64Array, other: Float64Array): Float64Array {
  const result = new Float64Array(one.length + other.length - 1);
  for (let i = 0; i < one.length; i++) {
    const chance = one[i] ?? 0;
    if (chance === 0) continue;
    for (let j = 0; j < other.length; j++) result[i + j] = (result[i + j] ?? 0) + chance * (other[j] ?? 0);
  }
  return result;
}
