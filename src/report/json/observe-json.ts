import { modelsKey, type Observation, ownOutcome, passedBy } from "../statistics/observation.ts";
import type { VerdictJson } from "./verdict-schema.ts";

/**
 * Converts a verdict into an observation for the statistics. Verdicts of dumps are converted into JSON first,
 * so that results and dumps of the same runs give the same report.
 * @param key group of the observation
 */
export function observeJson(verdict: VerdictJson, key: string): Observation {
  const { correctness, path, cost } = verdict.layers;
  return {
    key,
    runId: verdict.run_id,
    outcome: ownOutcome(verdict.outcome, verdict.expected_fail === true),
    metrics: new Map(Object.entries(verdict.metrics)),
    answer: verdict.answer ?? null,
    tools: verdict.tools ?? null,
    ...passedBy([...correctness.checks, ...path.checks, ...cost.checks]),
  };
}

/**
 * Returns the group of a verdict by the value of `--group-by`: the query id, the agent, the models, or the
 * value of a run attribute. Returns null if the run lacks the value.
 */
export function groupKeyJson(verdict: VerdictJson, groupBy: string): string | null {
  if (groupBy === "query") return verdict.query_id;
  if (groupBy === "agent") return verdict.agent;
  if (groupBy === "model") return modelsKey(verdict.models ?? []);
  const value = Object.hasOwn(verdict.attributes, groupBy) ? verdict.attributes[groupBy] : undefined;
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
