import { isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { AgentRun } from "../../../model/run.ts";
import { booleanAt, numberAt, objectAt, objectsAt, textAt } from "./json-fields.ts";
import { runFromJson } from "./run-from-json.ts";

/** Whether a JSON object is a `trace` in the format of AgentCI's baseline files, with spans or totals. */
export function isAgentciTrace(trace: JsonObject): boolean {
  return Array.isArray(trace["spans"]) || "final_answer" in trace || "total_cost_usd" in trace;
}

/**
 * Returns the run of an AgentCI `trace` object. Zero tokens and zero cost become null, because AgentCI writes
 * zero for unknown totals.
 */
export function runOfAgentciTrace(trace: JsonObject, query: string | null, agent: string): AgentRun {
  const spans = objectsAt(trace, "spans");
  const tools = spans.flatMap((span) => objectsAt(span, "tool_calls")).map(toolJson);
  const llm = spans.flatMap((span) => objectsAt(span, "llm_calls")).map(modelJson);
  const calls = numberAt(trace, "total_llm_calls");
  const known = (key: string): number | null => {
    const total = numberAt(trace, key);
    return total === 0 ? null : total;
  };
  const written = objectsAt(trace, "tool_calls");
  return runFromJson({
    trace_id: textAt(trace, "trace_id") ?? "",
    agent,
    query: query ?? textAt(trace, "input_query") ?? textAt(objectAt(trace, "metadata"), "query"),
    answer: answerOf(trace, spans),
    status: "ok",
    error: null,
    tools: tools.length === 0 && written.length > 0 ? written.map(toolJson) : tools,
    handoffs: spans.flatMap(handoffJson),
    guardrails: spans.flatMap((span) => {
      const name = textAt(span, "guardrail_name");
      return name === null ? [] : [{ name, triggered: booleanAt(span, "guardrail_triggered") }];
    }),
    llm,
    llm_calls: calls === 0 || calls === null ? (llm.length > 0 ? llm.length : null) : calls,
    models: [...new Set(llm.flatMap(({ model }) => (typeof model === "string" ? [model] : [])))],
    total_tokens: known("total_tokens"),
    cost_usd: known("total_cost_usd"),
    duration_ms: numberAt(trace, "total_duration_ms") ?? 0,
    start_unix_ms: startOf(textAt(trace, "created_at")),
    complete: true,
  });
}

function toolJson(call: JsonObject): JsonObject {
  return {
    name: textAt(call, "tool_name") ?? textAt(call, "name"),
    arguments: call["arguments"] ?? null,
    result: call["result"] ?? null,
    error: textAt(call, "error"),
    duration_ms: numberAt(call, "duration_ms"),
    executed: true,
  };
}

function modelJson(call: JsonObject): JsonObject {
  return {
    model: textAt(call, "model"),
    finish_reason: textAt(call, "stop_reason"),
    input_tokens: numberAt(call, "tokens_in"),
    output_tokens: numberAt(call, "tokens_out"),
    cost_usd: numberAt(call, "cost_usd"),
    duration_ms: numberAt(call, "duration_ms"),
  };
}

function handoffJson(span: JsonObject): JsonObject[] {
  const to = textAt(span, "to_agent");
  return to === null ? [] : [{ from: textAt(span, "from_agent"), to, kind: "span", inferred: false }];
}

/**
 * Returns the final answer of AgentCI's trace. Without a final answer, returns the last output of a span that
 * is not a tool call.
 */
function answerOf(trace: JsonObject, spans: readonly JsonObject[]): string | null {
  const written = trace["final_answer"] ?? objectAt(trace, "metadata")["final_output"];
  if (written !== undefined && written !== null) return textOf(written);
  const outputs = spans
    .filter(({ kind }) => kind !== "tool_call" && kind !== "tool")
    .map((span) => span["output_data"]);
  const last = outputs.findLast((output) => output !== undefined && output !== null);
  return last === undefined ? null : textOf(last);
}

function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (isObject(value)) {
    for (const key of ["output", "answer", "content", "text"]) {
      const inner = value[key];
      if (typeof inner === "string") return inner;
    }
  }
  return JSON.stringify(value);
}

function startOf(createdAt: string | null): number {
  const ms = createdAt === null ? NaN : Date.parse(createdAt);
  return Number.isNaN(ms) ? 0 : ms;
}
