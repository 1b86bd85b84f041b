import { metricOf } from "../compare/measure.ts";
import { sideOf, type Observation } from "../observation.ts";

/** Runs of one group, divided by outcome. */
export interface GroupRuns {
  readonly key: string;
  readonly runs: readonly Observation[];
  readonly decided: readonly Observation[];
  readonly passed: number;
  /** Number of passed runs with a warning. */
  readonly warned: number;
  readonly failed: number;
  /** 1 for each decided run that passed, 0 for each that failed. */
  readonly passes: readonly number[];
}

export function sortOut(key: string, runs: readonly Observation[]): GroupRuns {
  const decided = runs.filter((run) => sideOf(run.outcome) !== "undecided");
  const passes = decided.map((run) => (sideOf(run.outcome) === "passed" ? 1 : 0));
  const passed = passes.filter((pass) => pass === 1).length;
  const warned = decided.filter(({ outcome }) => outcome === "warn").length;
  return { key, runs, decided, passed, warned, failed: decided.length - passed, passes };
}

/** Returns the known values of one metric. */
export function known(runs: readonly Observation[], metric: string): number[] {
  return runs.flatMap((run) => metricOf(run, metric) ?? []);
}

/** Returns all metrics of the group's runs, sorted by name, and `composite` if an `impl_rate` is known. */
export function metricNames(runs: readonly Observation[]): string[] {
  const names = new Set<string>();
  for (const run of runs) for (const name of run.metrics.keys()) names.add(name);
  if (hasComposites(runs)) names.add("composite");
  return [...names].sort();
}

function hasComposites(runs: readonly Observation[]): boolean {
  return runs.some((run) => metricOf(run, "impl_rate") !== null);
}

/** Returns the composite scores of the runs that have one; empty if no `impl_rate` is known. */
export function composites(runs: readonly Observation[]): readonly number[] {
  return hasComposites(runs) ? known(runs, "composite") : [];
}

/**
 * Returns the quality of each decided run in 0–1: its composite score if every decided run has one, otherwise
 * whether it passed.
 */
export function qualities({ decided, passes }: GroupRuns): readonly number[] {
  const scores = composites(decided);
  return scores.length === decided.length ? scores : passes;
}
