import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { type Observation, sideOf } from "../observation.ts";

export type Grade = "A" | "B" | "C" | "D" | "F";

const grades = [
  { grade: "A", from: 0.95 },
  { grade: "B", from: 0.85 },
  { grade: "C", from: 0.75 },
  { grade: "D", from: 0.65 },
] as const;

/** Values of this size or larger are ignored, because their squares may overflow. */
const largestValue = 1e150;

/**
 * Returns a metric of a run, by name; `composite` is also a name. Returns null if the value is unknown, NaN,
 * infinite, or not below `largestValue`.
 */
export function metricOf(run: Observation, metric: string): number | null {
  if (metric === "composite") return compositeOf(run);
  const value = run.metrics.get(metric);
  return typeof value === "number" && Math.abs(value) < largestValue ? value : null;
}

/**
 * Returns ProjectScylla's composite score of a run, from 0 to 1: the mean of the pass (1 or 0) and the
 * `impl_rate`. Without an `impl_rate`, the score is 0 if the run failed before its judge was called,
 * otherwise null. Undecided runs have no score.
 */
function compositeOf(run: Observation): number | null {
  const pass = passOf(run);
  if (pass === null) return null;
  const rate = metricOf(run, "impl_rate");
  if (rate !== null) return (pass + rate) / 2;
  return pass === 0 && run.metrics.has("impl_rate") ? 0 : null;
}

/** Returns 1 for a passed run, 0 for a failed run, and null for an undecided run. */
export function passOf(run: Observation): number | null {
  const side = sideOf(run.outcome);
  return side === "undecided" ? null : side === "passed" ? 1 : 0;
}

/** Returns the function that reads a measure from a run. The name is `pass_rate` or the name of a metric. */
export function measureOf(name: string): (run: Observation) => number | null {
  return name === "pass_rate" ? passOf : (run) => metricOf(run, name);
}

/** Whether a change of a measure is a fraction of the old value, and not a difference. */
export function isRatioScale(name: string): boolean {
  return name === "cost_usd" || name === "latency_ms" || name.endsWith("_tokens");
}

/**
 * Returns the grade of a score from 0 to 1: A from 0.95, B from 0.85, C from 0.75, D from 0.65, otherwise F.
 * The limits are from the documentation of ProjectScylla's metrics; its code has other limits.
 */
export function letterGrade(score: number): Grade {
  return grades.find(({ from }) => isAtLeast(score, from))?.grade ?? "F";
}
