import { evaluateQuery } from "../../evaluate/evaluate.ts";
import type { JsonObject } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import { runJson } from "../json/run-json.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Baseline } from "./file/baseline.ts";
import { type RedactionRule, redactJson } from "./file/redact.ts";
import { referenceOf } from "./reference.ts";
import { runFromJson } from "./file/run-from-json.ts";
import { judgedByJson, judgedByVerdict, type Side } from "./side.ts";

/**
 * Returns a saved run as one side of a comparison. Without `query`, returns the saved verdict. With `query`, the run is judged again,
 * without judge models, if the spec has changed since the run was saved or the saved run has no verdict.
 * @param against saved run with which relative checks compare this run
 */
export function savedSide(
  baseline: Baseline,
  spec: CompiledSpec | undefined,
  query: CompiledQuery | undefined,
  against: Baseline = baseline,
): Side {
  const { version, run, verdict } = baseline;
  const asSaved = verdict === null ? null : judgedByJson(verdict);
  const current = spec === undefined || verdict?.provenance.spec_hash === spec.hash;
  if (query === undefined || (current && asSaved !== null)) return { version, run, judged: asSaved };
  const evaluation = evaluateQuery(run, query, { reference: referenceOf(against), judge: "off" });
  return { version, run, judged: judgedByVerdict(evaluation) };
}

/** Redacts the texts of a run by the rules with which the other run was saved, so that redacted texts do not count as differences. */
export function asRedacted(run: AgentRun, rules: readonly RedactionRule[]): AgentRun {
  if (rules.length === 0) return run;
  const saved = redactJson({ ...runJson(run, true), start_unix_ms: run.startUnixMs }, rules) as JsonObject;
  return runFromJson(saved);
}
