import { compositeScore } from "../groups/grade.ts";
import { sideOf, type Observation } from "../observation.ts";

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

/** What a comparison looks at: `pass_rate` or a metric by its name. */
export function measureOf(name: string): (run: Observation) => number | null {
  return name === "pass_rate" ? passOf : (run) => metricOf(run, name);
}

/** Whether changes of a measure are shares of what it was (twice the cost) rather than amounts (five points more). */
export function isRatioScale(name: string): boolean {
  return name === "cost_usd" || name === "latency_ms" || name.endsWith("_tokens");
}
