/**
 * Calls `read` for each item, with batches of `most` concurrent calls. Returns the results in the order of
 * the items.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += most)
    results.push(...(await Promise.all(items.slice(at, at + most).map(read))));
  return results;
}
