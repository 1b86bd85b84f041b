/**
 * The greatest number of one-to-one pairs between two lists, where `partners` has, for each item of the first, the places in the second
 * that it may be paired with. Taking the best free partner item by item can leave a later item without one. Augmenting paths, at most
 * items × edges steps (Kuhn's algorithm).
 */
export function mostPairs(partners: readonly (readonly number[])[]): number {
  const itemOf = new Map<number, number>();
  let pairs = 0;
  for (let item = 0; item < partners.length; item++) if (canPair(item, partners, itemOf)) pairs++;
  return pairs;
}

/** Pairs an item, moving others to partners that are free; false when there is no way to. Breadth first: lists may have thousands. */
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

/** Gives the free place to the item from which it was reached, that item's former place to the one before it, and so on. */
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
