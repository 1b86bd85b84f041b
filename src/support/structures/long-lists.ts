/*
 * A spread of a list into arguments (`Math.max(...list)`, `push(...list)`) throws a RangeError from about 120,000 items. These functions
 * are for lists whose length a sender decides.
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
