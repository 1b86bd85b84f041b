import { type ReliabilityLimits, reliabilityGate } from "../../report/statistics/groups/reliability.ts";
import type { Trial } from "./strength.ts";

/** Faults that a `reliability:` gate accepts if only some runs have them. */
export interface RepeatedStrength {
  /** Runs in the group: those that were tried, or at least `min_runs`. */
  readonly runs: number;
  /** The most of them that may fail while the gate still passes; null when it does not pass even without. */
  readonly tolerated: number | null;
  /** The fewest of them that fail the gate; null when none would. */
  readonly failsFrom: number | null;
  /** Noticed mutants that fail their run, because the gate ignores warnings. */
  readonly counted: number;
}

/** Formula: the gate of `reliability:` asked for 0, 1, … runs that fail. Limits on scores are left out, which a fault need not change. */
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
