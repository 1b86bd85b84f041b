import type { NoReference } from "../../src/evaluate/checks/check.ts";
import { evaluateQuery, type EvaluateOptions, type Evaluation } from "../../src/evaluate/evaluate.ts";
import type { CompiledQuery, CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import type { AgentRun } from "../../src/model/run.ts";

/** No baseline was asked for. */
export const notAsked: NoReference = { missing: "not-asked", version: null };

/** The first query of a spec, which has one. */
export function queryIn({ queries: [query] }: CompiledSpec): CompiledQuery {
  if (query === undefined) throw new Error("no query");
  return query;
}

/** Evaluates without a baseline. Judges are off, unless the options say otherwise. */
export function evaluationOf(
  run: AgentRun,
  query: CompiledQuery,
  options: Partial<EvaluateOptions> = {},
): Evaluation {
  return evaluateQuery(run, query, { reference: notAsked, judge: "off", ...options });
}
