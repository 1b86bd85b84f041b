/** Sorted items that can be iterated several times, and may be stored on disk. */
export interface Ordered<Item> extends Iterable<Item> {
  readonly isOrdered: true;
  readonly length: number;
}

/** Items in memory in any order, or already sorted (`Ordered`). */
export type Listed<Item> = readonly Item[] | Ordered<Item>;

/** Returns the items sorted by `compare`. An `Ordered` list is already sorted. */
export function inOrder<Item>(items: Listed<Item>, compare: (a: Item, b: Item) => number): Listed<Item> {
  return "isOrdered" in items ? items : items.toSorted(compare);
}

export function first<Item>(items: Iterable<Item>, most: number): Item[] {
  const picked: Item[] = [];
  if (most <= 0) return picked;
  for (const item of items) if (picked.push(item) === most) break;
  return picked;
}

export function count<Item>(items: Iterable<Item>, test: (item: Item) => boolean): number {
  let passed = 0;
  for (const item of items) if (test(item)) passed++;
  return passed;
}
