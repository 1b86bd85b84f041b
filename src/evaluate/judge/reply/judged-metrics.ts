import type { CheckResult } from "../../../model/verdict.ts";
import { mean } from "../ask/ensemble.ts";

/** Metrics that judge checks report under their own names. */
const named: ReadonlySet<string> = new Set(["impl_rate", "goal_accuracy", "topic_adherence"]);

/**
 * Returns the judged metrics of a run: `impl_rate`, `goal_accuracy`, `topic_adherence`, and `rubric.ID` for each judged rubric (1–5, for
 * criteria and items 0–1). Several values of a metric, such as those of turns, become their mean. A metric is null if a value is undecided,
 * and absent if it does not apply.
 */
export function judgedMetrics(results: readonly CheckResult[]): ReadonlyMap<string, number | null> {
  const found = new Map<string, (number | null)[]>();
  for (const result of results) {
    if (result.outcome === "skip" && result.judge !== null) continue;
    const value = decided(result) && typeof result.value === "number" ? result.value : null;
    for (const name of namesOf(result)) found.set(name, [...(found.get(name) ?? []), value]);
  }
  return new Map([...found].map(([name, values]) => [name, meanIfKnown(values)]));
}

function namesOf({ metric, judge }: CheckResult): readonly string[] {
  if (!named.has(metric)) return judge === null ? [] : [`rubric.${judge.rubric}`];
  return metric === "impl_rate" && judge !== null ? [metric, `rubric.${judge.rubric}`] : [metric];
}

/** Whether the value of a result is certain. */
function decided({ outcome }: CheckResult): boolean {
  return outcome === "pass" || outcome === "warn" || outcome === "fail";
}

function meanIfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : mean(known);
}
