/**
 * Returns the maximum number of one-to-one pairs between two lists (Kuhn's algorithm with augmenting paths). Takes at most items × edges
 * steps. Giving each item its best free partner is not enough, because a later item could then lack a partner.
 * @param partners for each item of the first list: indices of possible partners in the second list
 */
export function mostPairs(partners: readonly (readonly number[])[]): number {
  const itemOf = new Map<number, number>();
  let pairs = 0;
  for (let item = 0; item < partners.length; item++) if (canPair(item, partners, itemOf)) pairs++;
  return pairs;
}

/**
 * Pairs an item; moves paired items to other partners if necessary. Returns false if the item cannot be paired. Searches breadth-first
 * without recursion, because lists can have thousands of items.
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
 * Moves items along the found path: the last item gets the free partner, the previous item gets the last item's former partner, and so on.
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
