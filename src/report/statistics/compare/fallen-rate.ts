import { fisherGreater } from "../tests/fisher.ts";

/** Number of runs, and number of failed runs. */
export interface RunCounts {
  readonly failed: number;
  readonly runs: number;
}

/** Significance level of the difference between both sides. */
const SIGNIFICANT = 0.05;

/** Whether runs fail significantly more often than before, by Fisher's exact test, one-sided, at 5 %. */
export function isFallen(before: RunCounts, after: RunCounts): boolean {
  if (before.runs === 0 || after.failed === 0) return false;
  return (
    fisherGreater([
      [before.runs - before.failed, before.failed],
      [after.runs - after.failed, after.failed],
    ]) < SIGNIFICANT
  );
}
