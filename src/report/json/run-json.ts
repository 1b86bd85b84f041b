import type { JsonObject, JsonValue } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import type { AgentRun, Guardrail, Handoff, ModelCall, Retrieval, ToolCall } from "../../model/run.ts";

/**
 * Returns a run as JSON for `inspect --format json`. Unknown values are null.
 * @param full adds messages, system instructions and tool definitions
 */
export function runJson(run: AgentRun, full = false): JsonObject {
  return {
    trace_id: run.traceId,
    run_id: run.runId,
    root_span_id: run.rootSpanId,
    service: run.service,
    agent: run.agent,
    final_agent: run.finalAgent,
    conversation_id: run.conversationId,
    query: run.query,
    answer: run.answer,
    status: run.status,
    error: run.error,
    tools: run.tools.map(toolJson),
    handoffs: run.handoffs.map(handoffJson),
    handoffs_available: run.handoffsAvailable,
    retrievals: run.retrievals.map(retrievalJson),
    guardrails: run.guardrails.map(guardrailJson),
    llm_calls: run.llmCalls,
    llm: run.llm.map(modelCallJson),
    input_tokens: run.usage.input,
    output_tokens: run.usage.output,
    cached_tokens: run.usage.cached,
    cache_write_tokens: run.usage.cacheWrite,
    reasoning_tokens: run.usage.reasoning,
    total_tokens: run.totalTokens,
    models: run.models,
    response_models: run.responseModels,
    cost_usd: run.costUsd,
    price_source: run.priceSource,
    duration_ms: run.durationMs,
    attributes: attributesJson(run.attributes),
    dialects: run.dialects,
    complete: run.complete,
    close_reason: run.closeReason,
    missing: run.missing.map(({ what, why }) => ({ what, why })),
    ...(full ? contentJson(run) : {}),
  };
}

/**
 * Returns attributes as an object with sorted keys, so that the order in which spans arrive has no effect.
 * The object has no prototype, because attribute names are untrusted.
 */
export function attributesJson(attributes: ReadonlyMap<string, JsonValue>): JsonObject {
  const json = Object.create(null) as Record<string, JsonValue>;
  for (const name of [...attributes.keys()].sort()) json[name] = attributes.get(name) ?? null;
  return json;
}

function toolJson(call: ToolCall): JsonObject {
  return {
    name: call.name,
    arguments: call.arguments ?? null,
    result: call.result ?? null,
    error: call.error,
    agent: call.agent,
    call_id: call.callId,
    start_unix_ms: call.startUnixMs,
    duration_ms: call.durationMs,
    executed: call.executed,
    retried: call.retried,
  };
}

function handoffJson({ from, to, kind, inferred, tool = null }: Handoff): JsonObject {
  return { from, to, kind, inferred, tool };
}

function retrievalJson({ query, documents, isPartial }: Retrieval): JsonObject {
  return {
    query,
    documents: documents.map(({ id, content, score, sources }) => ({
      id,
      content,
      score,
      ...(sources === undefined ? {} : { sources }),
    })),
    ...(isPartial === undefined ? {} : { partial: true }),
  };
}

function guardrailJson({ name, triggered }: Guardrail): JsonObject {
  return { name, triggered };
}

function modelCallJson(call: ModelCall): JsonObject {
  return {
    agent: call.agent,
    model: call.model,
    response_model: call.responseModel,
    finish_reason: call.finishReason,
    input_tokens: call.usage.input,
    output_tokens: call.usage.output,
    cached_tokens: call.usage.cached,
    reasoning_tokens: call.usage.reasoning,
    cost_usd: call.costUsd,
    start_unix_ms: call.startUnixMs,
    duration_ms: call.durationMs,
    error: call.error,
  };
}

function contentJson(run: AgentRun): JsonObject {
  return {
    messages: run.messages.map(messageJson),
    system_instructions: run.systemInstructions,
    tool_definitions: run.toolDefinitions,
  };
}

/** Converts a message into an entry of the `messages` in a run's JSON. */
export function messageJson(message: Message): JsonObject {
  return {
    role: message.role,
    name: message.name,
    text: message.text,
    calls: message.calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments ?? null })),
    results: message.results.map((result) => ({
      call_id: result.callId,
      name: result.name,
      content: result.content ?? null,
      is_error: result.isError,
    })),
  };
}
