/** Longest wait that a backend may ask for. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** The wait that a backend asks for, 0 for none, as far as it is followed. */
export function boundedWait(waitMs: number | null): number {
  return waitMs === null ? 0 : Math.min(waitMs, LONGEST_WAIT_MS);
}
