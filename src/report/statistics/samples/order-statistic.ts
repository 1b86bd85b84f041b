/** Values that are too many to be created one by one: their number, and how many are at most x. */
export interface Countable {
  readonly count: number;
  readonly smallest: number;
  readonly largest: number;
  atMost(x: number): number;
}

/** Returns the k-th smallest value, k from 1, by bisection between the smallest and the largest one. */
export function kthSmallest(values: Countable, k: number): number {
  let { smallest: low, largest: high } = values;
  if (values.atMost(low) >= k) return low;
  // Invariant: fewer than k values are at most `low`, at least k at most `high`. The loop ends at
  // neighbouring doubles.
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (values.atMost(middle) >= k) high = middle;
    else low = middle;
  }
}

/** Returns the median; for an even number of values, the mean of the middle two. */
export function medianOf(values: Countable): number {
  const lower = kthSmallest(values, Math.floor((values.count + 1) / 2));
  return values.count % 2 === 1 ? lower : (lower + kthSmallest(values, values.count / 2 + 1)) / 2;
}
