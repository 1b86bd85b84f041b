import type { CheckResult, JudgeRecord, LayerResult, QueryMatch, Verdict } from "../../model/verdict.ts";
import { answerOf, toolsUsed } from "../statistics/observation.ts";
import { attributesJson } from "./run-json.ts";
import type { CheckJson, LayerJson, VerdictJson } from "./verdict-schema.ts";

/** A verdict as files and `test --format json` hold it, keys in the documented order, values unrounded. */
export function verdictJson(verdict: Verdict): VerdictJson {
  const { run, layers, provenance } = verdict;
  const source = run.source ?? run.turns?.[0]?.source;
  return {
    query_id: verdict.queryId,
    query: run.query,
    spec: verdict.spec,
    agent: run.agent,
    trace_id: run.traceId,
    run_id: run.runId,
    service: run.service,
    start_unix_ms: run.startUnixMs,
    match: matchJson(verdict.match),
    verdict_id: verdict.verdictId,
    error: run.error,
    outcome: verdict.outcome,
    hard_fail: verdict.hardFail,
    ...(verdict.expectedFail === undefined ? {} : { expected_fail: true }),
    ...(verdict.row === undefined ? {} : { row: { file: verdict.row.file, line: verdict.row.line } }),
    complete: run.complete,
    close_reason: run.closeReason,
    revision: verdict.revision,
    ...(run.turns === undefined ? {} : { turn_run_ids: run.turns.map(({ runId }) => runId) }),
    attributes: attributesJson(run.attributes) as VerdictJson["attributes"],
    models: [...run.models],
    tools: toolsUsed(run)?.slice() ?? null,
    answer: answerOf(run),
    layers: {
      correctness: layerJson(layers.correctness),
      path: layerJson(layers.path),
      cost: layerJson(layers.cost),
    },
    metrics: Object.fromEntries(verdict.metrics),
    provenance: {
      spec_hash: provenance.specHash,
      engine: provenance.engine,
      judge: [...provenance.judge],
      prices: provenance.prices,
    },
    ...(source === undefined ? {} : { source: { file: source.file, line: source.line } }),
    ...(run.sources === undefined ? {} : { sources: [...run.sources] }),
  };
}

function matchJson({ how, score, unknownId }: QueryMatch): VerdictJson["match"] {
  return { how, score, ...(unknownId === undefined ? {} : { unknown_id: unknownId }) };
}

function layerJson({ outcome, reason, checks }: LayerResult): LayerJson {
  return { outcome, reason, checks: checks.map(checkJson) };
}

function checkJson(result: CheckResult): CheckJson {
  return {
    check: result.check,
    metric: result.metric,
    outcome: result.outcome,
    value: result.value as CheckJson["value"],
    limit: result.limit as CheckJson["limit"],
    message: result.message,
    remedy: result.remedy,
    missing: [...result.missing],
    span_ids: [...result.spanIds],
    ...(result.reasons === undefined ? {} : { reasons: result.reasons.map((reason) => ({ ...reason })) }),
    ...(result.faults === undefined ? {} : { faults: [...result.faults] }),
    source: result.source,
    ...(result.turn === undefined ? {} : { turn: result.turn }),
    judge: result.judge === null ? null : judgeJson(result.judge),
    ...(result.waiver === undefined ? {} : { waiver: { ...result.waiver } }),
    ...(result.expectedFail === undefined ? {} : { expected_fail: true }),
  };
}

function judgeJson(record: JudgeRecord): NonNullable<CheckJson["judge"]> {
  return {
    rubric: record.rubric,
    model: record.model,
    score: record.score,
    label: record.label,
    rationale: record.rationale,
    votes: record.votes.map(({ model, score, label, rationale, error }) => ({
      model,
      score,
      label,
      rationale,
      error,
    })),
    duration_ms: record.durationMs,
    cached: record.cached,
    prompt_hash: record.promptHash,
    ...(record.first === undefined ? {} : { first: { ...record.first } }),
  };
}
