import { type ReliabilityLimits, reliabilityGate } from "../../report/statistics/groups/reliability.ts";
import type { Trial } from "./strength.ts";

/** How well a `reliability:` gate detects a fault that only some runs have. */
export interface RepeatedStrength {
  /** Number of runs in the group: the tried runs, at least `min_runs`. */
  readonly runs: number;
  /** Maximum number of failing runs with which the gate passes; null if it never passes. */
  readonly tolerated: number | null;
  /** Minimum number of failing runs with which the gate fails; null if it never fails. */
  readonly failsFrom: number | null;
  /** Number of mutants that fail their run. The gate ignores warnings. */
  readonly counted: number;
}

/**
 * Evaluates the `reliability:` gate for 0, 1, … failing runs. Ignores limits on scores, because a fault need not change the score.
 * @param runs number of tried runs
 */
export function repeatedStrength(
  limits: ReliabilityLimits,
  runs: number,
  trials: readonly Trial[],
): RepeatedStrength {
  const rates = { ...limits, minMeanScore: undefined, maxStdDev: undefined };
  const group = Math.max(runs, limits.minRuns ?? 1);
  let tolerated: number | null = null;
  let failsFrom: number | null = null;
  for (let failing = 0; failing <= group && failsFrom === null; failing++) {
    const { outcome } = reliabilityGate(group - failing, failing, rates);
    if (outcome === "pass") tolerated = failing;
    if (outcome === "fail") failsFrom = failing;
  }
  return { runs: group, tolerated, failsFrom, counted: trials.filter(({ fails }) => fails).length };
}
