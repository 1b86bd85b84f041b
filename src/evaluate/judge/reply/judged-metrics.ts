import type { CheckResult } from "../../../model/verdict.ts";
import { mean } from "../ask/ensemble.ts";

/** Quantities that a judged check measures under a name of its own; `impl_rate` is a rubric's, as well. */
const named: ReadonlySet<string> = new Set(["impl_rate", "goal_accuracy", "topic_adherence"]);

/**
 * Judged metrics of a run: `impl_rate`, `goal_accuracy` and `topic_adherence`, if the spec has them, and `rubric.ID` of each judged rubric
 * on its scale (1–5, for criteria 0–1). Several values of one name, such as those of turns, give their mean. Null if one is undecided;
 * metrics that do not apply are absent.
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

/** A value that part of the evidence was missing for is none. */
function decided({ outcome }: CheckResult): boolean {
  return outcome === "pass" || outcome === "warn" || outcome === "fail";
}

function meanIfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : mean(known);
}
