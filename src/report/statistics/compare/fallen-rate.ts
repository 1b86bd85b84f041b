import { fisherGreater } from "../tests/fisher.ts";

export interface RunCounts {
  readonly failed: number;
  readonly runs: number;
}

/** Significance level of the difference between the two failure rates. */
const SIGNIFICANT = 0.05;

/** Whether significantly more runs fail than before, by the one-sided Fisher's exact test at 5 %. */
export function isFallen(before: RunCounts, after: RunCounts): boolean {
  if (before.runs === 0 || after.failed === 0) return false;
  return (
    fisherGreater([
      [before.runs - before.failed, before.failed],
      [after.runs - after.failed, after.failed],
    ]) < SIGNIFICANT
  );
}
