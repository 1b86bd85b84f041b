/** Sorted items over which a report can iterate repeatedly. They may be outside memory. */
export interface Ordered<Item> extends Iterable<Item> {
  readonly isOrdered: true;
  readonly length: number;
}

/** Items with a known number, which can be iterated in order. */
export type Listed<Item> = readonly Item[] | Ordered<Item>;

/** Returns the items in order; a sorted list is returned unchanged. */
export function inOrder<Item>(items: Listed<Item>, compare: (a: Item, b: Item) => number): Listed<Item> {
  return "isOrdered" in items ? items : items.toSorted(compare);
}

/** Returns at most `most` first items. */
export function first<Item>(items: Iterable<Item>, most: number): Item[] {
  const taken: Item[] = [];
  if (most <= 0) return taken;
  for (const item of items) if (taken.push(item) === most) break;
  return taken;
}

/** Returns how many items pass the test. */
export function count<Item>(items: Iterable<Item>, test: (item: Item) => boolean): number {
  let passed = 0;
  for (const item of items) if (test(item)) passed++;
  return passed;
}
