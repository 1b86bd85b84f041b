import type { JsonObject } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import { runJson } from "./run-json.ts";

/**
 * Returns the JSON of a run for the API: the output of `inspect --full`, plus trace ids, start and steps. A step has its kind, its index in
 * the run's list of that kind, its trace id, span id and start, and its place in the run if the order is known.
 */
export function runDetailJson(run: AgentRun): JsonObject {
  return {
    ...runJson(run, true),
    trace_ids: run.traceIds,
    start_unix_ms: run.startUnixMs,
    steps: stepsOf(run),
  };
}

/**
 * Returns the steps of a run in the order of the run. If the order is unknown, the steps are grouped by kind.
 */
function stepsOf(run: AgentRun): JsonObject[] {
  const ofKind = {
    model: run.llm,
    tool: run.tools,
    handoff: run.handoffs,
    retrieval: run.retrievals,
    guardrail: run.guardrails,
  } as const;
  if (run.stepOrder !== undefined)
    return run.stepOrder.flatMap(({ kind, index, startUnixMs }, place) => {
      const step = ofKind[kind][index];
      return step === undefined ? [] : { ...stepJson(kind, index, { ...step, startUnixMs }), place };
    });
  return [
    ...run.llm.map((call, index) => stepJson("model", index, call)),
    ...run.tools.map((call, index) => stepJson("tool", index, call)),
    ...run.handoffs.map((handoff, index) => stepJson("handoff", index, handoff)),
    ...run.retrievals.map((retrieval, index) => stepJson("retrieval", index, retrieval)),
    ...run.guardrails.map((guardrail, index) => stepJson("guardrail", index, guardrail)),
  ];
}

interface Placed {
  readonly spanId: string | null;
  readonly traceId?: string;
  readonly startUnixMs?: number | null;
}

function stepJson(kind: string, index: number, { spanId, traceId, startUnixMs }: Placed): JsonObject {
  return { kind, index, trace_id: traceId ?? null, span_id: spanId, start_unix_ms: startUnixMs ?? null };
}
