import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { wilsonInterval } from "./interval.ts";
import { twoSidedZ } from "../tests/normal.ts";

export interface Counts {
  readonly passed: number;
  /** Number of runs that passed or failed. */
  readonly decided: number;
}

export type RateVerdict = "pass" | "fail" | "open";

/**
 * Returns whether the true pass rate is at least `min`, by Wilson's interval.
 * `pass`: the lower limit reaches `min`.
 * `fail`: the upper limit is below `min`.
 * `open`: the interval contains `min`, or there are no runs.
 */
export function rateVerdict(passed: number, runs: number, min: number, confidence: number): RateVerdict {
  const interval = wilsonInterval(passed, runs, confidence);
  if (interval === null) return "open";
  if (isAtLeast(interval.low, min)) return "pass";
  return !isAtLeast(interval.high, min) ? "fail" : "open";
}

/** Largest number of further runs that is computed. A larger number is reported as null. */
const mostRuns = 1e9;

/**
 * Returns the smallest number of further runs for which `settled` returns true; null if this number is above
 * `mostRuns`.
 * @param settled must return true for all larger numbers, too
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
 * Returns the number of further runs until Wilson's interval excludes `min`, if the observed rate p stays the
 * same. The total number of runs is z²·min(1 − min)/(p − min)². Returns null if p equals `min`, or if the
 * number is above `mostRuns`.
 */
export function neededAtThisRate(counts: Counts, min: number, confidence: number): number | null {
  const rate = counts.passed / counts.decided;
  if (rate === min) return null;
  const total = (twoSidedZ(confidence) ** 2 * min * (1 - min)) / (rate - min) ** 2;
  return total > mostRuns ? null : Math.max(1, Math.ceil(total) - counts.decided);
}

/**
 * Returns the smallest number of further runs that could decide the gate, if all of them pass or all of them
 * fail. Returns null if more than `mostRuns` are needed.
 */
export function neededAtLeast(
  { passed, decided: runs }: Counts,
  verdict: (passed: number, runs: number) => RateVerdict,
): number | null {
  const toPass = fewest((more) => verdict(passed + more, runs + more) === "pass");
  const toFail = fewest((more) => verdict(passed, runs + more) === "fail");
  return toPass === null || toFail === null ? (toPass ?? toFail) : Math.min(toPass, toFail);
}

/** Returns the number of further runs that decide the gate if the observed rate stays the same; null if more than `mostRuns` are needed. */
export function neededAtRate(
  { passed, decided: runs }: Counts,
  verdict: (passed: number, runs: number) => RateVerdict,
): number | null {
  const rate = passed / runs;
  return fewest((more) => verdict(passed + rate * more, runs + more) !== "open");
}
