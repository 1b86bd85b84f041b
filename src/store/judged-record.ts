import { traceBytes } from "../assemble/trace-bytes.ts";
import type { Trace } from "../assemble/trace.ts";
import type { AgentRun } from "../model/run.ts";
import type { JudgedRun } from "../pipeline/judge-run.ts";
import { runDetailJson } from "../render/run-detail.ts";
import { verdictJson } from "../render/verdict-json.ts";
import type { JudgedRecord, RunRecord } from "./stored.ts";

/** A judged run as it is stored: text and bytes that hold on to nothing. `traces`: what its telemetry is cut from. */
export function judgedRecord(
  judged: JudgedRun,
  traces: readonly Trace[] | null,
  judgedUnixMs: number,
): JudgedRecord {
  return {
    run: runRecord(judged.run),
    verdicts: judged.verdicts.map((verdict) => ({
      verdictId: verdict.verdictId,
      revision: verdict.revision,
      spec: verdict.spec,
      queryId: verdict.queryId,
      outcome: verdict.outcome,
      json: JSON.stringify(verdictJson(verdict)),
    })),
    unjudged: [...judged.unmatched, ...judged.ambiguous].map(({ spec, reason, candidates }) => ({
      spec,
      reason,
      candidates,
    })),
    telemetry: traces && new Map(traces.map((trace) => [trace.traceId, traceBytes(trace)])),
    judgedUnixMs,
  };
}

function runRecord(run: AgentRun): RunRecord {
  const { runId, traceIds, agent, service, conversationId, query, answer, complete } = run;
  const { startUnixMs, durationMs, totalTokens, costUsd, models } = run;
  const json = JSON.stringify(runDetailJson(run));
  return {
    runId,
    traceIds,
    agent,
    service,
    conversationId,
    query,
    answer,
    complete,
    startUnixMs,
    durationMs,
    totalTokens,
    costUsd,
    models,
    json,
  };
}
