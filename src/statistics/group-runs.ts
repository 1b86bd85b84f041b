import { compositeScore } from "./grade.ts";
import { metricOf } from "./measure.ts";
import { sideOf, type Observation } from "./observation.ts";

/** The runs of one group, sorted out once. */
export interface GroupRuns {
  readonly key: string;
  readonly runs: readonly Observation[];
  readonly decided: readonly Observation[];
  readonly passed: number;
  readonly failed: number;
  /** 1 for each decided run that passed, 0 for each that failed. */
  readonly passes: readonly number[];
}

export function sortOut(key: string, runs: readonly Observation[]): GroupRuns {
  const decided = runs.filter((run) => sideOf(run.outcome) !== "undecided");
  const passes = decided.map((run) => (sideOf(run.outcome) === "passed" ? 1 : 0));
  const passed = passes.filter((pass) => pass === 1).length;
  return { key, runs, decided, passed, failed: decided.length - passed, passes };
}

/** The known values of one metric. */
export function known(runs: readonly Observation[], metric: string): number[] {
  return runs.flatMap((run) => metricOf(run, metric) ?? []);
}

/** All metrics that a run of the group mentions, in the order of their names. */
export function metricNames(runs: readonly Observation[]): string[] {
  const names = new Set<string>();
  for (const run of runs) for (const name of run.metrics.keys()) names.add(name);
  return [...names].sort();
}

/**
 * How good each decided run was, in 0–1: whether it passed, averaged with its `impl_rate` where every decided
 * run has one (ProjectScylla's composite score); else just whether it passed.
 */
export function qualities({ decided, passes }: GroupRuns): readonly number[] {
  const rates = known(decided, "impl_rate");
  if (rates.length < decided.length) return passes;
  return rates.map((rate, index) => compositeScore(passes[index] ?? 0, rate) ?? 0);
}
