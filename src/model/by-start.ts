/** Orders runs by their start. Runs with equal starts are ordered by their ids. */
export function byStart(
  a: { readonly startUnixMs: number; readonly runId: string },
  b: { readonly startUnixMs: number; readonly runId: string },
): number {
  return a.startUnixMs - b.startUnixMs || (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0);
}
