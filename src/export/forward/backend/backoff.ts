/** The first wait where the backend asks for none, and the longest. */
const SOON_MS = 5;
const LATEST_SOON_MS = 1_000;
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
const FACTOR = 1.5;

/**
 * The wait after the `failures`-th failure in a row, counted from 1: longer each time up to half a minute, and between half and one and a half of
 * that, so that several senders do not come back in step.
 * @param random from 0 to 1
 */
export function backoffMs(failures: number, random: number): number {
  const step = Math.min(FIRST_MS * FACTOR ** Math.max(0, failures - 1), LONGEST_MS);
  return step * (0.5 + random);
}

/**
 * The wait of a request that was refused `tries` times by a backend that asks for no wait: short, and longer for one that is refused again and
 * again, which would otherwise be all that is tried.
 * @param random from 0 to 1
 */
export function soonMs(tries: number, random: number): number {
  return Math.min(SOON_MS * 2 ** Math.max(0, tries - 1), LATEST_SOON_MS) * (0.5 + random);
}
