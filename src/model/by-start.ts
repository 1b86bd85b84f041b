/** Compares runs by their start time, and runs with equal start times by their ids. */
export function byStart(
  a: { readonly startUnixMs: number; readonly runId: string },
  b: { readonly startUnixMs: number; readonly runId: string },
): number {
  return a.startUnixMs - b.startUnixMs || (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0);
}
