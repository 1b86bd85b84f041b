const MOST_ROUNDS = 10;

/**
 * How many times as much of the processor's time work on `times` the size takes: about `times` where it is linear, the square of that where it
 * is quadratic. Both are measured on this machine as it is now, and what the process waits is in neither. Measures again, up to ten times, until
 * the result is below `limit`, of the least that each size took: what a collection of garbage adds to one round is not in all.
 */
export function growthOf(
  work: (size: number) => void,
  { size, times, limit }: { readonly size: number; readonly times: number; readonly limit: number },
): number {
  work(size); // compiled then
  let [small, large] = [Infinity, Infinity];
  for (let round = 0; round < MOST_ROUNDS && !(large / small < limit); round++) {
    small = Math.min(
      small,
      processorTimeOf(() => work(size)),
    );
    large = Math.min(
      large,
      processorTimeOf(() => work(size * times)),
    );
  }
  return large / small;
}

/** In microseconds, at least one. */
function processorTimeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, user + system);
}
