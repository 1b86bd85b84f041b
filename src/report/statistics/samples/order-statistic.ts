/** Values that are not made one by one, since there are too many: how many there are, and how many are at most x. */
export interface Countable {
  readonly count: number;
  readonly smallest: number;
  readonly largest: number;
  atMost(x: number): number;
}

/** The k-th smallest value, k from 1, by halving between the smallest and the largest one. */
export function kthSmallest(values: Countable, k: number): number {
  let { smallest: low, largest: high } = values;
  if (values.atMost(low) >= k) return low;
  // Invariant: fewer than k values are at most `low`, at least k at most `high`. Ends at neighbouring doubles.
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (values.atMost(middle) >= k) high = middle;
    else low = middle;
  }
}

/** The middle value, the mean of the middle two of an even number. */
export function medianOf(values: Countable): number {
  const lower = kthSmallest(values, Math.floor((values.count + 1) / 2));
  return values.count % 2 === 1 ? lower : (lower + kthSmallest(values, values.count / 2 + 1)) / 2;
}
