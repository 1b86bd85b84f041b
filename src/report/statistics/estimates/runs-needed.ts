import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { wilsonInterval } from "./interval.ts";
import { twoSidedZ } from "../tests/normal.ts";

/** Runs with a clear outcome. */
export interface Counts {
  readonly passed: number;
  /** Passed and failed together. */
  readonly decided: number;
}

export type RateVerdict = "pass" | "fail" | "open";

/**
 * Whether a true pass rate of at least `min` is shown (the Wilson interval's low end reaches it), ruled out
 * (its high end stays below) or open.
 */
export function rateVerdict(passed: number, runs: number, min: number, confidence: number): RateVerdict {
  const interval = wilsonInterval(passed, runs, confidence);
  if (interval === null) return "open";
  if (isAtLeast(interval.low, min)) return "pass";
  return !isAtLeast(interval.high, min) ? "fail" : "open";
}

/** Larger numbers of further runs are not reported. */
const mostRuns = 1e9;

/** The smallest number of further runs from which on `settled` holds; it must not turn false again. */
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
 * Further runs until the Wilson interval leaves `min` behind if the observed rate p holds: the interval
 * inverts the score test, so that is z²·min(1 − min)/(p − min)² runs in all. Null when p equals the limit or
 * no number suffices.
 */
export function neededAtThisRate(counts: Counts, min: number, confidence: number): number | null {
  const rate = counts.passed / counts.decided;
  if (rate === min) return null;
  const total = (twoSidedZ(confidence) ** 2 * min * (1 - min)) / (rate - min) ** 2;
  return total > mostRuns ? null : Math.max(1, Math.ceil(total) - counts.decided);
}

/**
 * The fewest further runs that could settle it: all of them passes, or all failures. Null when no number
 * suffices.
 */
export function neededAtLeast(
  { passed, decided: runs }: Counts,
  verdict: (passed: number, runs: number) => RateVerdict,
): number | null {
  const toPass = fewest((more) => verdict(passed + more, runs + more) === "pass");
  const toFail = fewest((more) => verdict(passed, runs + more) === "fail");
  return toPass === null || toFail === null ? (toPass ?? toFail) : Math.min(toPass, toFail);
}

/** Further runs until a verdict is reached if the observed rate holds. Null when no number suffices. */
export function neededAtRate(
  { passed, decided: runs }: Counts,
  verdict: (passed: number, runs: number) => RateVerdict,
): number | null {
  const rate = passed / runs;
  return fewest((more) => verdict(passed + rate * more, runs + more) !== "open");
}
