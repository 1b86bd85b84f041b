import type { Verdict } from "../../src/model/verdict.ts";
import { attributesJson } from "../../src/report/json/run-json.ts";
import { answerOf, toolsUsed } from "../../src/report/statistics/observation.ts";

/** A verdict's JSON as an object. The JSON text that is written without building an object must be equal to it. */
export function verdictObject({ run, layers, provenance, ...verdict }: Verdict): object {
  const source = run.source ?? run.turns?.[0]?.source;
  const { correctness, path, cost } = layers;
  return {
    query_id: verdict.queryId,
    query: run.query,
    spec: verdict.spec,
    agent: run.agent,
    trace_id: run.traceId,
    run_id: run.runId,
    service: run.service,
    start_unix_ms: run.startUnixMs,
    match: {
      how: verdict.match.how,
      score: verdict.match.score,
      unknown_id: verdict.match.unknownId,
    },
    verdict_id: verdict.verdictId,
    error: run.error,
    outcome: verdict.outcome,
    hard_fail: verdict.hardFail,
    expected_fail: verdict.expectedFail,
    row: verdict.row && { file: verdict.row.file, line: verdict.row.line },
    complete: run.complete,
    close_reason: run.closeReason,
    revision: verdict.revision,
    turn_run_ids: run.turns?.map(({ runId }) => runId),
    attributes: attributesJson(run.attributes),
    models: run.models,
    tools: toolsUsed(run),
    answer: answerOf(run),
    layers: { correctness: layerObject(correctness), path: layerObject(path), cost: layerObject(cost) },
    metrics: Object.fromEntries(verdict.metrics),
    provenance: {
      spec_hash: provenance.specHash,
      engine: provenance.engine,
      judge: provenance.judge,
      prices: provenance.prices,
    },
    source: source && { file: source.file, line: source.line },
    sources: run.sources,
  };
}

function layerObject({ outcome, reason, checks }: Verdict["layers"]["path"]): object {
  return {
    outcome,
    reason,
    checks: checks.map(({ judge, ...check }) => ({
      check: check.check,
      metric: check.metric,
      outcome: check.outcome,
      value: check.value,
      limit: check.limit,
      message: check.message,
      remedy: check.remedy,
      missing: check.missing,
      span_ids: check.spanIds,
      reasons: check.reasons,
      faults: check.faults,
      source: check.source,
      turn: check.turn,
      judge: judge && {
        rubric: judge.rubric,
        model: judge.model,
        score: judge.score,
        label: judge.label,
        rationale: judge.rationale,
        votes: judge.votes,
        duration_ms: judge.durationMs,
        cached: judge.cached,
        prompt_hash: judge.promptHash,
        first: judge.first,
      },
      waiver: check.waiver,
      expected_fail: check.expectedFail,
    })),
  };
}
