import { isArray, isObject, type JsonObject } from "../../../model/json.ts";
import type { Message } from "../../../model/message.ts";
import type {
  AgentRun,
  CloseReason,
  Guardrail,
  Handoff,
  ModelCall,
  Retrieval,
  RetrievedDocument,
  ToolCall,
  Usage,
} from "../../../model/run.ts";
import { unixNanoseconds } from "../../../model/telemetry/unix-nanoseconds.ts";
import { booleanAt, captured, numberAt, objectAt, objectsAt, textAt, textsAt } from "./json-fields.ts";

/**
 * Returns a run from the output of `inspect --format json --full`. The steps of the run have no span ids,
 * because the output has no spans.
 */
export function runFromJson(json: JsonObject): AgentRun {
  const traceId = textAt(json, "trace_id") ?? "";
  const startUnixMs = numberAt(json, "start_unix_ms") ?? 0;
  const durationMs = numberAt(json, "duration_ms") ?? 0;
  return {
    runId: textAt(json, "run_id") ?? traceId,
    traceId,
    traceIds: [traceId],
    rootSpanId: textAt(json, "root_span_id") ?? "",
    service: textAt(json, "service"),
    agent: textAt(json, "agent"),
    finalAgent: textAt(json, "final_agent"),
    conversationId: textAt(json, "conversation_id"),
    query: textAt(json, "query"),
    answer: textAt(json, "answer"),
    status: statusOf(textAt(json, "status")),
    error: textAt(json, "error"),
    tools: objectsAt(json, "tools").map((call) => toolOf(call, traceId)),
    handoffs: objectsAt(json, "handoffs").map(handoffOf),
    handoffsAvailable: isArray(json["handoffs_available"]) ? textsAt(json, "handoffs_available") : null,
    retrievals: objectsAt(json, "retrievals").map(retrievalOf),
    guardrails: objectsAt(json, "guardrails").map(guardrailOf),
    llmCalls: numberAt(json, "llm_calls"),
    llm: objectsAt(json, "llm").map((call) => modelCallOf(call, traceId)),
    usage: usageOf(json),
    totalTokens: numberAt(json, "total_tokens"),
    models: textsAt(json, "models"),
    responseModels: textsAt(json, "response_models"),
    costUsd: numberAt(json, "cost_usd"),
    priceSource: textAt(json, "price_source"),
    startUnixMs,
    durationMs,
    attributes: new Map(Object.entries(objectAt(json, "attributes"))),
    dialects: textsAt(json, "dialects"),
    complete: booleanAt(json, "complete") ?? true,
    closeReason: (textAt(json, "close_reason") ?? "eof") as CloseReason,
    missing: objectsAt(json, "missing").map((one) => ({
      what: textAt(one, "what") ?? "",
      why: textAt(one, "why") ?? "",
    })),
    messages: objectsAt(json, "messages").map(messageOf),
    systemInstructions: textAt(json, "system_instructions"),
    toolDefinitions: isArray(json["tool_definitions"]) ? json["tool_definitions"] : null,
    rootEndUnixNano: unixNanoseconds(startUnixMs + durationMs),
  };
}

function statusOf(text: string | null): AgentRun["status"] {
  return text === "ok" || text === "error" ? text : null;
}

function usageOf(json: JsonObject): Usage {
  return {
    input: numberAt(json, "input_tokens"),
    output: numberAt(json, "output_tokens"),
    cached: numberAt(json, "cached_tokens"),
    cacheWrite: numberAt(json, "cache_write_tokens"),
    reasoning: numberAt(json, "reasoning_tokens"),
  };
}

function toolOf(json: JsonObject, traceId: string): ToolCall {
  return {
    spanId: null,
    traceId,
    name: textAt(json, "name"),
    arguments: captured(json["arguments"]),
    result: captured(json["result"]),
    error: textAt(json, "error"),
    agent: textAt(json, "agent"),
    callId: textAt(json, "call_id"),
    startUnixMs: numberAt(json, "start_unix_ms"),
    durationMs: numberAt(json, "duration_ms"),
    executed: booleanAt(json, "executed"),
    retried: booleanAt(json, "retried") ?? false,
  };
}

function handoffOf(json: JsonObject): Handoff {
  const kind = textAt(json, "kind");
  return {
    spanId: null,
    from: textAt(json, "from"),
    to: textAt(json, "to") ?? "",
    kind: kind === "tool" || kind === "change" ? kind : "span",
    inferred: booleanAt(json, "inferred") ?? false,
    tool: textAt(json, "tool"),
  };
}

function retrievalOf(json: JsonObject): Retrieval {
  return {
    spanId: null,
    query: textAt(json, "query"),
    documents: objectsAt(json, "documents").map((document) => ({
      id: textAt(document, "id"),
      content: textAt(document, "content"),
      score: numberAt(document, "score"),
      ...sourcesOf(document),
    })),
    ...(booleanAt(json, "partial") === true ? { isPartial: true } : {}),
  };
}

function sourcesOf({ sources }: JsonObject): Pick<RetrievedDocument, "sources"> {
  return isArray(sources) ? { sources: sources.filter((source) => typeof source === "string") } : {};
}

function guardrailOf(json: JsonObject): Guardrail {
  return { spanId: null, name: textAt(json, "name") ?? "", triggered: booleanAt(json, "triggered") };
}

function modelCallOf(json: JsonObject, traceId: string): ModelCall {
  return {
    spanId: null,
    traceId,
    agent: textAt(json, "agent"),
    model: textAt(json, "model"),
    responseModel: textAt(json, "response_model"),
    finishReason: textAt(json, "finish_reason"),
    usage: usageOf(json),
    costUsd: numberAt(json, "cost_usd"),
    startUnixMs: numberAt(json, "start_unix_ms"),
    durationMs: numberAt(json, "duration_ms"),
    error: textAt(json, "error"),
  };
}

const roles = ["system", "user", "assistant", "tool"] as const;

function messageOf(json: JsonObject): Message {
  const calls = json["calls"];
  const results = json["results"];
  return {
    role: roles.find((role) => role === json["role"]) ?? "user",
    name: textAt(json, "name"),
    text: textAt(json, "text"),
    calls: (isArray(calls) ? calls.filter(isObject) : []).map((call) => ({
      id: textAt(call, "id"),
      name: textAt(call, "name"),
      arguments: captured(call["arguments"]),
    })),
    results: (isArray(results) ? results.filter(isObject) : []).map((result) => ({
      callId: textAt(result, "call_id"),
      name: textAt(result, "name"),
      content: captured(result["content"]),
      isError: booleanAt(result, "is_error") ?? false,
    })),
  };
}
