import { documentBounds, isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";
import type { Verdict } from "../../../model/verdict.ts";
import { runJson } from "../../json/run-json.ts";
import { verdictJson } from "../../json/verdict-json.ts";
import { type VerdictJson, verdictSchema } from "../../json/verdict-schema.ts";
import { isAgentciTrace, runOfAgentciTrace } from "./agentci-trace.ts";
import type { Baseline } from "./baseline.ts";
import { booleanAt, numberAt, objectAt, textAt, textsAt } from "./json-fields.ts";
import { type RedactionRule, redactionRules, redactJson } from "./redact.ts";
import { runFromJson } from "./run-from-json.ts";

/** Metadata of a run that is being saved. */
export interface Saving {
  readonly version: string;
  readonly variant: number;
  /** Agent of the spec; for a spec about any agent, the agent of the run. The folder of the baseline is named after this agent. */
  readonly agent: string;
  readonly query: string;
  /** Time of saving in RFC 3339. */
  readonly capturedAt: string;
  readonly precheckPassed: boolean | null;
  readonly engine: string;
  readonly redaction: readonly RedactionRule[];
}

/**
 * Returns the JSON of a baseline file: the keys of AgentCI's format, the run as in `inspect --full`, and the
 * verdict.
 */
export function baselineJson(verdict: Verdict, saving: Saving): JsonObject {
  const { run, layers, provenance } = verdict;
  const rubrics = layers.correctness.checks.flatMap(({ judge }) => (judge === null ? [] : [judge.rubric]));
  const trace = { ...runJson(run, true), start_unix_ms: run.startUnixMs };
  const content = { trace, verdict: verdictJson(verdict) as unknown as JsonObject };
  return {
    format_version: 1,
    version: saving.version,
    ...(saving.variant > 1 ? { variant: saving.variant } : {}),
    agent: saving.agent,
    query_id: verdict.queryId,
    query: run.query ?? saving.query,
    captured_at: saving.capturedAt,
    metadata: {
      model: run.models[0] ?? run.responseModels[0] ?? null,
      dialects: run.dialects,
      spec: verdict.spec,
      spec_hash: `sha256:${provenance.specHash}`,
      judge_rubric_ids: [...new Set(rubrics)],
      precheck_passed: saving.precheckPassed,
      engine: saving.engine,
      price_source: run.priceSource,
      redaction: saving.redaction,
    },
    ...(redactJson(content, saving.redaction) as JsonObject),
  };
}

/** Reads a baseline file of Tracejury or AgentCI. Returns an error message if the file is invalid. */
export function readBaseline(text: string, stem: string): Baseline | string {
  const json = parseJson(text, documentBounds);
  if (json === undefined) return "is not JSON";
  if (!isObject(json)) return "is not a JSON object";
  const trace = json["trace"];
  if (!isObject(trace)) return "has no `trace`: not a baseline";
  const agent = textAt(json, "agent") ?? textAt(trace, "agent_name");
  if (agent === null) return "has no `agent`: not a baseline";
  const query = textAt(json, "query");
  const metadata = objectAt(json, "metadata");
  const run = isAgentciTrace(trace) ? runOfAgentciTrace(trace, query, agent) : runFromJson(trace);
  return {
    version: textAt(json, "version") ?? stem,
    variant: numberAt(json, "variant") ?? 1,
    agent,
    queryId: textAt(json, "query_id"),
    query: query ?? run.query,
    capturedAt: textAt(json, "captured_at"),
    metadata: {
      model: textAt(metadata, "model"),
      dialects: textsAt(metadata, "dialects"),
      specHash: textAt(metadata, "spec_hash"),
      judgeRubricIds: textsAt(metadata, "judge_rubric_ids"),
      precheckPassed: booleanAt(metadata, "precheck_passed"),
      engine: textAt(metadata, "engine"),
      redaction: redactionRules.filter((rule) => textsAt(metadata, "redaction").includes(rule)),
    },
    run,
    verdict: verdictOf(json["verdict"]),
  };
}

/**
 * Returns the saved verdict. Returns null if there is none, or if it does not match this version's schema.
 */
function verdictOf(json: JsonValue | undefined): VerdictJson | null {
  const read = verdictSchema.safeParse(json);
  return read.success ? read.data : null;
}
