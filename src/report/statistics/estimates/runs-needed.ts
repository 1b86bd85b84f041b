import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { wilsonInterval } from "./interval.ts";
import { twoSidedZ } from "../tests/normal.ts";

/** Counts of runs with a clear outcome. */
export interface Counts {
  readonly passed: number;
  /** Number of passed and failed runs. */
  readonly decided: number;
}

export type RateVerdict = "pass" | "fail" | "open";

/**
 * Returns whether a true pass rate of at least `min` is shown (the Wilson interval's lower limit reaches it),
 * ruled out (its upper limit is below) or open.
 */
export function rateVerdict(passed: number, runs: number, min: number, confidence: number): RateVerdict {
  const interval = wilsonInterval(passed, runs, confidence);
  if (interval === null) return "open";
  if (isAtLeast(interval.low, min)) return "pass";
  return !isAtLeast(interval.high, min) ? "fail" : "open";
}

/** Maximum number of further runs that is reported. */
const mostRuns = 1e9;

/**
 * Returns the smallest number of further runs from which on `settled` is true; it must not become false
 * again.
 */
function fewest(settled: (further: number) => boolean): number | null {
  let high = 1;
  while (!settled(high)) {
    high *= 2;
    if (high > mostRuns) return null;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (settled(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * Returns the further runs until the Wilson interval excludes `min`, if the observed rate p stays the same.
 * The interval inverts the score test, so that is z²·min(1 − min)/(p − min)² runs in total. Null if p equals
 * the limit or no number is enough.
 */
export function neededAtThisRate(counts: Counts, min: number, confidence: number): number | null {
  const rate = counts.passed / counts.decided;
  if (rate === min) return null;
  const total = (twoSidedZ(confidence) ** 2 * min * (1 - min)) / (rate - min) ** 2;
  return total > mostRuns ? null : Math.max(1, Math.ceil(total) - counts.decided);
}

/**
 * Returns the minimum number of further runs that could decide the rate, if all of them pass or all fail.
 * Null if no number is enough.
 */
export function neededAtLeast(
  { passed, decided: runs }: Counts,
  verdict: (passed: number, runs: number) => RateVerdict,
): number | null {
  const toPass = fewest((more) => verdict(passed + more, runs + more) === "pass");
  const toFail = fewest((more) => verdict(passed, runs + more) === "fail");
  return toPass === null || toFail === null ? (toPass ?? toFail) : Math.min(toPass, toFail);
}

/**
 * Returns the further runs until a decision if the observed rate stays the same. Null if no number is enough.
 */
export function neededAtRate(
  { passed, decided: runs }: Counts,
  verdict: (passed: number, runs: number) => RateVerdict,
): number | null {
  const rate = passed / runs;
  return fewest((more) => verdict(passed + rate * more, runs + more) !== "open");
}
