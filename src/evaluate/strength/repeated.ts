import { type ReliabilityLimits, reliabilityGate } from "../../report/statistics/groups/reliability.ts";
import type { Trial } from "./strength.ts";

/** Faults that a `reliability:` gate accepts if only some runs have them. */
export interface RepeatedStrength {
  /** Runs in the group: those that were tried, or at least `min_runs`. */
  readonly runs: number;
  /** Maximum number of failing runs with which the gate still passes; null if the gate never passes. */
  readonly tolerated: number | null;
  /** Minimum number of failing runs with which the gate fails; null if it never fails. */
  readonly failsFrom: number | null;
  /** Noticed mutants that fail their run, because the gate ignores warnings. */
  readonly counted: number;
}

/**
 * Evaluates the `reliability:` gate for 0, 1, … failing runs. Limits on scores are ignored, because a fault need not
 * change the score.
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
