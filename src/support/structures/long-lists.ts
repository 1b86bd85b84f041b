/*
 * Functions for lists whose length is chosen by a sender. Spreading a list into arguments, as in `Math.max(...list)` and `push(...list)`,
 * throws a RangeError from about 120,000 items on.
 */

/** Returns the largest number; -Infinity for an empty list. */
export function largest(numbers: Iterable<number>): number {
  let most = -Infinity;
  for (const one of numbers) most = Math.max(most, one);
  return most;
}

export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}
