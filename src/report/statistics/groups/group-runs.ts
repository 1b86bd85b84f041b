import { metricOf } from "../compare/measure.ts";
import { sideOf, type Observation } from "../observation.ts";

/** The runs of a group, with counts by outcome. `decided` are the runs that passed or failed. */
export interface GroupRuns {
  readonly key: string;
  readonly runs: readonly Observation[];
  readonly decided: readonly Observation[];
  readonly passed: number;
  /** Number of runs that passed with a warning. */
  readonly warned: number;
  readonly failed: number;
  /** For each decided run, 1 for a pass and 0 for a failure. */
  readonly passes: readonly number[];
}

export function sortOut(key: string, runs: readonly Observation[]): GroupRuns {
  const decided = runs.filter((run) => sideOf(run.outcome) !== "undecided");
  const passes = decided.map((run) => (sideOf(run.outcome) === "passed" ? 1 : 0));
  const passed = passes.filter((pass) => pass === 1).length;
  const warned = decided.filter(({ outcome }) => outcome === "warn").length;
  return { key, runs, decided, passed, warned, failed: decided.length - passed, passes };
}

export function known(runs: readonly Observation[], metric: string): number[] {
  return runs.flatMap((run) => metricOf(run, metric) ?? []);
}

/**
 * Returns the names of all metrics of the runs, sorted. `composite` is included if a run has an `impl_rate`.
 */
export function metricNames(runs: readonly Observation[]): string[] {
  const names = new Set<string>();
  for (const run of runs) for (const name of run.metrics.keys()) names.add(name);
  if (hasComposites(runs)) names.add("composite");
  return [...names].sort();
}

function hasComposites(runs: readonly Observation[]): boolean {
  return runs.some((run) => metricOf(run, "impl_rate") !== null);
}

/** Returns the known composite scores of the runs; an empty list if no run has an `impl_rate`. */
export function composites(runs: readonly Observation[]): readonly number[] {
  return hasComposites(runs) ? known(runs, "composite") : [];
}

/**
 * Returns the quality of each decided run, from 0 to 1: its composite score if all decided runs have one,
 * otherwise 1 for a pass and 0 for a failure.
 */
export function qualities({ decided, passes }: GroupRuns): readonly number[] {
  const scores = composites(decided);
  return scores.length === decided.length ? scores : passes;
}
