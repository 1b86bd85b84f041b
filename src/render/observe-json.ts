import { type Observation, ownOutcome, passedBy } from "../statistics/observation.ts";
import type { VerdictJson } from "./verdict-schema.ts";

/**
 * A verdict read back from a file as an observation of the group `key`. The file holds neither answer nor
 * tools: pass them where they are known otherwise.
 */
export function observeJson(
  verdict: VerdictJson,
  key: string,
  known: Pick<Observation, "answer" | "tools"> = {},
): Observation {
  const { correctness, path, cost } = verdict.layers;
  return {
    key,
    outcome: ownOutcome(verdict.outcome, verdict.expected_fail === true),
    metrics: new Map(Object.entries(verdict.metrics)),
    ...passedBy([...correctness.checks, ...path.checks, ...cost.checks]),
    ...known,
  };
}

/**
 * The group of a verdict read back from a file: by query, agent, or any run attribute it holds. Null when it
 * has none; the models of a run are not in the file.
 */
export function groupKeyJson(verdict: VerdictJson, groupBy: string): string | null {
  if (groupBy === "query") return verdict.query_id;
  if (groupBy === "agent") return verdict.agent;
  const value = Object.hasOwn(verdict.attributes, groupBy) ? verdict.attributes[groupBy] : undefined;
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
