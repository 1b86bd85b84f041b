const MOST_ROUNDS = 10;

/**
 * Ratio of the CPU time of `work` for `times × size` to that for `size`: about `times` if linear, `times²` if quadratic. Repeats up to ten
 * times until the ratio is below `limit`. It uses the smallest time for each size, because garbage collection adds time to some rounds
 * only.
 */
export function growthOf(
  work: (size: number) => void,
  { size, times, limit }: { readonly size: number; readonly times: number; readonly limit: number },
): number {
  work(size); // V8 compiles it in this call
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

/** CPU time in microseconds, at least one. */
function processorTimeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, user + system);
}
