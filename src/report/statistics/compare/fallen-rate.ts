import { fisherGreater } from "../tests/fisher.ts";

/** Runs, and how many of them failed. */
export interface RunCounts {
  readonly failed: number;
  readonly runs: number;
}

/** At most so probable by chance, were both sides alike. */
const SIGNIFICANT = 0.05;

/** Whether runs fail significantly more often than before: Fisher's exact test, one-sided, at 5 %. */
export function isFallen(before: RunCounts, after: RunCounts): boolean {
  if (before.runs === 0 || after.failed === 0) return false;
  return (
    fisherGreater([
      [before.runs - before.failed, before.failed],
      [after.runs - after.failed, after.failed],
    ]) < SIGNIFICANT
  );
}
