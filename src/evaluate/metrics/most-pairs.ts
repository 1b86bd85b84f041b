/**
 * Returns the maximum number of one-to-one pairs between two lists. The algorithm is Kuhn's, with augmenting
 * paths, and takes at most items × edges steps. Choosing the best free partner for each item would not be
 * enough, because a later item could be left without a partner.
 * @param partners for each item of the first list, the indices in the second list with which the item can be
 * paired
 */
export function mostPairs(partners: readonly (readonly number[])[]): number {
  const itemOf = new Map<number, number>();
  let pairs = 0;
  for (let item = 0; item < partners.length; item++) if (canPair(item, partners, itemOf)) pairs++;
  return pairs;
}

/**
 * Pairs an item, and moves other items to free partners if necessary. Returns false if the item cannot be
 * paired. The search is breadth-first, because lists may have thousands of items.
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
 * Moves items along the path that was found: the last item of the path gets the free position, the previous
 * item gets the last item's former position, and so on.
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
