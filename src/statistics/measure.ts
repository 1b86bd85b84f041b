import { sideOf, type Observation } from "./observation.ts";

/** Beyond it squares overflow; no measure of a run gets there. */
const largestValue = 1e150;

/** A metric of a run; null when it is not known: NaN, infinities and absurdly large numbers are not. */
export function metricOf(run: Observation, metric: string): number | null {
  const value = run.metrics.get(metric);
  return typeof value === "number" && Math.abs(value) < largestValue ? value : null;
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
