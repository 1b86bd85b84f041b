/**
 * Returns the maximum number of one-to-one pairs between two lists. `partners` has, for each item of the
 * first list, the positions in the second list with which it can be paired. Choosing the best free partner
 * for each item can leave a later item without a partner. Uses augmenting paths, in at most items × edges
 * steps (Kuhn's algorithm).
 */
export function mostPairs(partners: readonly (readonly number[])[]): number {
  const itemOf = new Map<number, number>();
  let pairs = 0;
  for (let item = 0; item < partners.length; item++) if (canPair(item, partners, itemOf)) pairs++;
  return pairs;
}

/**
 * Pairs an item, and moves other items to free partners if necessary. Returns false if this is impossible.
 * The search is breadth first, because lists may have thousands of items.
 */
function canPair(
  item: number,
  partners: readonly (readonly number[])[],
  itemOf: Map<number, number>,
): boolean {
  const cameFrom = new Map<number, number>();
  const queue = [item];
  for (const current of queue) {
    for (const place of partners[current] ?? []) {
      if (cameFrom.has(place)) continue;
      cameFrom.set(place, current);
      const holder = itemOf.get(place);
      if (holder === undefined) {
        reassign(place, item, cameFrom, itemOf);
        return true;
      }
      queue.push(holder);
    }
  }
  return false;
}

/**
 * Assigns the free position to the item from which it was reached, that item's former position to the
 * previous item, and so on.
 */
function reassign(
  free: number,
  first: number,
  cameFrom: ReadonlyMap<number, number>,
  itemOf: Map<number, number>,
): void {
  const placeOf = new Map([...itemOf].map(([place, item]) => [item, place]));
  let place: number | undefined = free;
  while (place !== undefined) {
    const item = cameFrom.get(place);
    if (item === undefined) return;
    const former = placeOf.get(item);
    itemOf.set(place, item);
    if (item === first) return;
    place = former;
  }
}
