/**
 * Returns the index of the first item for which `isAfter` is true, or the list's length if there is no such item. Uses binary search: if
 * `isAfter` is true for an item, it must be true for all later items.
 */
export function firstIndex<Item>(items: readonly Item[], isAfter: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
