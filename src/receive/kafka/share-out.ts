/**
 * Divides partitions among the members of a group: the same number of each, give or take one, and as many as possible stay where they are.
 * A number stands for the partitions of that number in all topics: the records of a trace have one key in each, so they meet.
 * @param owned by member, the numbers it has now; what two claim goes to the first
 */
export function shareOut(
  count: number,
  owned: ReadonlyMap<string, readonly number[]>,
): Map<string, readonly number[]> {
  const members = [...owned.keys()].sort();
  const least = Math.floor(count / members.length);
  let larger = count % members.length;
  const free = new Set(Array.from({ length: count }, (_, number) => number));
  const shares = new Map<string, number[]>();
  // Those who have most keep the larger shares.
  const byOwned = members.toSorted((a, b) => (owned.get(b)?.length ?? 0) - (owned.get(a)?.length ?? 0));
  for (const member of byOwned) {
    const share: number[] = [];
    const wanted = [...new Set(owned.get(member))].filter((number) => free.has(number));
    const most = least + (larger > 0 && wanted.length > least ? 1 : 0);
    if (most > least) larger--;
    for (const number of wanted.slice(0, most)) {
      share.push(number);
      free.delete(number);
    }
    shares.set(member, share);
  }
  for (const number of free) {
    const poorest = members.reduce((a, b) => (sizeOf(shares, b) < sizeOf(shares, a) ? b : a));
    shares.get(poorest)?.push(number);
  }
  return shares;
}

function sizeOf(shares: ReadonlyMap<string, readonly number[]>, member: string): number {
  return shares.get(member)?.length ?? 0;
}
