/**
 * A difference between two lists. The first item is from the first list (null if an item was added), the second from the second list (null
 * if an item was removed). `at` is the position in the second list.
 */
export type Unequal<Item> = readonly [Item | null, Item | null, at: number];

/**
 * Maximum number of items in a changed section that is aligned. A longer section, or one with equally many items in both lists, is compared
 * position by position.
 */
const LONGEST = 300;

/**
 * Returns the differences between two lists. Equal beginnings and ends are skipped. If the sections between them have different lengths, as
 * many items as possible are aligned with equal items. Two unequal items at the same place count as a replacement. Replacements of similar
 * items are preferred.
 */
export function align<Item>(
  was: readonly Item[],
  is: readonly Item[],
  isEqual: (a: Item, b: Item) => boolean,
  isAlike: (a: Item, b: Item) => boolean,
): readonly Unequal<Item>[] {
  let start = 0;
  while (start < was.length && start < is.length && isEqual(was[start] as Item, is[start] as Item)) start++;
  let end = 0;
  while (
    end < was.length - start &&
    end < is.length - start &&
    isEqual(was[was.length - 1 - end] as Item, is[is.length - 1 - end] as Item)
  )
    end++;
  const old = was.slice(start, was.length - end);
  const fresh = is.slice(start, is.length - end);
  const costs = { isEqual, isAlike };
  const pairs =
    old.length === fresh.length || old.length > LONGEST || fresh.length > LONGEST
      ? placeByPlace(old, fresh, isEqual)
      : cheapest(old, fresh, costs);
  return pairs.map(([a, b, at]) => [a, b, at + start] as const);
}

function placeByPlace<Item>(
  old: readonly Item[],
  fresh: readonly Item[],
  isEqual: (a: Item, b: Item) => boolean,
): Unequal<Item>[] {
  const pairs: Unequal<Item>[] = [];
  for (let at = 0; at < Math.max(old.length, fresh.length); at++) {
    const a = at < old.length ? (old[at] as Item) : null;
    const b = at < fresh.length ? (fresh[at] as Item) : null;
    if (a === null || b === null || !isEqual(a, b)) pairs.push([a, b, at]);
  }
  return pairs;
}

interface Likeness<Item> {
  readonly isEqual: (a: Item, b: Item) => boolean;
  readonly isAlike: (a: Item, b: Item) => boolean;
}

/** Returns the differences with the least edit distance. Replacing an item by a similar one costs as much as adding or removing an item. */
function cheapest<Item>(
  old: readonly Item[],
  fresh: readonly Item[],
  { isEqual, isAlike }: Likeness<Item>,
): Unequal<Item>[] {
  const replace = (a: Item, b: Item): number => (isEqual(a, b) ? 0 : isAlike(a, b) ? 1 : 2);
  const table = Array.from({ length: old.length + 1 }, () => new Float64Array(fresh.length + 1));
  const cost = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = old.length; i >= 0; i--)
    for (let j = fresh.length; j >= 0; j--) {
      const row = table[i] as Float64Array;
      if (i === old.length) row[j] = fresh.length - j;
      else if (j === fresh.length) row[j] = old.length - i;
      else
        row[j] = Math.min(
          cost(i + 1, j + 1) + replace(old[i] as Item, fresh[j] as Item),
          cost(i + 1, j) + 1,
          cost(i, j + 1) + 1,
        );
    }
  const pairs: Unequal<Item>[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    const a = old[i] as Item;
    const b = fresh[j] as Item;
    if (i < old.length && j < fresh.length && cost(i, j) === cost(i + 1, j + 1) + replace(a, b)) {
      if (!isEqual(a, b)) pairs.push([a, b, j]);
      i++;
      j++;
    } else if (i < old.length && cost(i, j) === cost(i + 1, j) + 1) {
      pairs.push([a, null, j]);
      i++;
    } else {
      pairs.push([null, b, j]);
      j++;
    }
  }
  return pairs;
}
