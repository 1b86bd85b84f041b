import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { type Observation, sideOf } from "../observation.ts";

export type Grade = "A" | "B" | "C" | "D" | "F";

const grades = [
  { grade: "A", from: 0.95 },
  { grade: "B", from: 0.85 },
  { grade: "C", from: 0.75 },
  { grade: "D", from: 0.65 },
] as const;

/** Largest used value; squares of larger values overflow, and no real measure is that large. */
const largestValue = 1e150;

/**
 * Returns a metric of a run, including `composite`; null if unknown. NaN, infinities and extremely large
 * numbers count as unknown.
 */
export function metricOf(run: Observation, metric: string): number | null {
  if (metric === "composite") return compositeOf(run);
  const value = run.metrics.get(metric);
  return typeof value === "number" && Math.abs(value) < largestValue ? value : null;
}

/**
 * Returns ProjectScylla's composite score, 0–1: the mean of a decided run's pass (1 or 0) and its
 * `impl_rate`. A run that failed before its judge has an `impl_rate` of null, which counts as 0. Any other
 * run without an `impl_rate` has no composite; the result is null.
 */
function compositeOf(run: Observation): number | null {
  const pass = passOf(run);
  if (pass === null) return null;
  const rate = metricOf(run, "impl_rate");
  if (rate !== null) return compositeScore(pass, rate);
  return pass === 0 && run.metrics.has("impl_rate") ? 0 : null;
}

/** Returns 1 for a passed run, 0 for a failed run, null for an undecided run. */
export function passOf(run: Observation): number | null {
  const side = sideOf(run.outcome);
  return side === "undecided" ? null : side === "passed" ? 1 : 0;
}

/** Returns a measure by its name: `pass_rate`, or the name of a metric. */
export function measureOf(name: string): (run: Observation) => number | null {
  return name === "pass_rate" ? passOf : (run) => metricOf(run, name);
}

/** Whether changes of a measure are ratios (twice the cost) instead of amounts (five points more). */
export function isRatioScale(name: string): boolean {
  return name === "cost_usd" || name === "latency_ms" || name.endsWith("_tokens");
}

/**
 * Returns the grade for a score in 0–1: A from 0.95, B from 0.85, C from 0.75, D from 0.65, else F. Scores
 * are unrounded, and equality is enough (ProjectScylla's metrics document; its code now has other limits).
 */
export function letterGrade(score: number): Grade {
  return grades.find(({ from }) => isAtLeast(score, from))?.grade ?? "F";
}

/**
 * Returns (pass·w₁ + quality·w₂)/(w₁ + w₂), which combines whether and how well a run passed; in [0, 1] for
 * inputs in [0, 1] (ProjectScylla's composite score with weights of 0.5). Null if the sum of the weights is
 * not above 0.
 */
export function compositeScore(
  pass: number,
  quality: number,
  passWeight = 0.5,
  qualityWeight = 0.5,
): number | null {
  const total = passWeight + qualityWeight;
  return total > 0 ? (pass * passWeight + quality * qualityWeight) / total : null;
}
