/**
 * A large set of values that is not stored. Only the number of values up to a given value can be computed.
 */
export interface Countable {
  readonly count: number;
  readonly smallest: number;
  readonly largest: number;
  atMost(x: number): number;
}

/** Returns the k-th smallest value, k from 1, by bisection between the smallest and the largest value. */
export function kthSmallest(values: Countable, k: number): number {
  let { smallest: low, largest: high } = values;
  if (values.atMost(low) >= k) return low;
  // Invariant: fewer than k values are ≤ `low`, and at least k values are ≤ `high`. The loop ends when `low`
  // and `high` are neighbouring doubles.
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (values.atMost(middle) >= k) high = middle;
    else low = middle;
  }
}

/** Returns the median. */
export function medianOf(values: Countable): number {
  const lower = kthSmallest(values, Math.floor((values.count + 1) / 2));
  return values.count % 2 === 1 ? lower : (lower + kthSmallest(values, values.count / 2 + 1)) / 2;
}
