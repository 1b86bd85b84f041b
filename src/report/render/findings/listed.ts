/** Items that are in order already, iterated as often as a report needs; they may be outside memory. */
export interface Ordered<Item> extends Iterable<Item> {
  readonly isOrdered: true;
  readonly length: number;
}

/** Items that are counted, and iterated from the first to the last. */
export type Listed<Item> = readonly Item[] | Ordered<Item>;

/** The items in order; a list that is in order already stays as it is. */
export function inOrder<Item>(items: Listed<Item>, compare: (a: Item, b: Item) => number): Listed<Item> {
  return "isOrdered" in items ? items : items.toSorted(compare);
}

/** The first items, at most so many. */
export function first<Item>(items: Iterable<Item>, most: number): Item[] {
  const taken: Item[] = [];
  if (most <= 0) return taken;
  for (const item of items) if (taken.push(item) === most) break;
  return taken;
}

/** How many items pass the test. */
export function count<Item>(items: Iterable<Item>, test: (item: Item) => boolean): number {
  let passed = 0;
  for (const item of items) if (test(item)) passed++;
  return passed;
}
