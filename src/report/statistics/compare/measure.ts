import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { type Observation, sideOf } from "../observation.ts";

export type Grade = "A" | "B" | "C" | "D" | "F";

const grades = [
  { grade: "A", from: 0.95 },
  { grade: "B", from: 0.85 },
  { grade: "C", from: 0.75 },
  { grade: "D", from: 0.65 },
] as const;

/** Beyond it squares overflow; no measure of a run gets there. */
const largestValue = 1e150;

/**
 * A metric of a run, `composite` being one of them; null when it is not known: NaN, infinities and absurdly large numbers are not.
 */
export function metricOf(run: Observation, metric: string): number | null {
  if (metric === "composite") return compositeOf(run);
  const value = run.metrics.get(metric);
  return typeof value === "number" && Math.abs(value) < largestValue ? value : null;
}

/**
 * ProjectScylla's composite score, 0–1: whether a decided run passed, averaged with its `impl_rate`. A run that failed before its judge has
 * an `impl_rate` of null and counts 0 for it; any other run without an `impl_rate` has no composite, which is null.
 */
function compositeOf(run: Observation): number | null {
  const pass = passOf(run);
  if (pass === null) return null;
  const rate = metricOf(run, "impl_rate");
  if (rate !== null) return compositeScore(pass, rate);
  return pass === 0 && run.metrics.has("impl_rate") ? 0 : null;
}

/** 1 for a run that passed, 0 for one that failed, null for one that could not be decided. */
export function passOf(run: Observation): number | null {
  const side = sideOf(run.outcome);
  return side === "undecided" ? null : side === "passed" ? 1 : 0;
}

/** The measure of a comparison: `pass_rate`, or the name of a metric. */
export function measureOf(name: string): (run: Observation) => number | null {
  return name === "pass_rate" ? passOf : (run) => metricOf(run, name);
}

/** Whether changes of a measure are shares of what it was (twice the cost) rather than amounts (five points more). */
export function isRatioScale(name: string): boolean {
  return name === "cost_usd" || name === "latency_ms" || name.endsWith("_tokens");
}

/**
 * The letter for a score in 0–1: A from 0.95, B from 0.85, C from 0.75, D from 0.65, else F; unrounded,
 * equality is enough (ProjectScylla's metrics document; its code has other limits by now).
 */
export function letterGrade(score: number): Grade {
  return grades.find(({ from }) => isAtLeast(score, from))?.grade ?? "F";
}

/**
 * (pass·w₁ + quality·w₂)/(w₁ + w₂): whether a run passed and how well, in one number; in [0, 1] for inputs
 * there (ProjectScylla's composite score, its weights 0.5 each). Null when the weights do not add up to more
 * than 0.
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
