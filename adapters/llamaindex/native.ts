import type { Adapter, EventView, JsonValue, NameRule, SpanFacts } from "../adapter-type.ts";

/** LlamaIndex's own spans (`llama-index-observability-otel`). Their names consist of class and method; content is in span events. */
export const nativeNames: readonly NameRule[] = [
  { pattern: /\._prepare_/, role: "copy" },
  { pattern: /^\w+\.a?(?:stream_)?(?:chat|complete)(?:_with_tools)?$/, role: "call" },
  { pattern: /\.call_tool$/, role: "tool" },
  { pattern: /Tool\.(?:a?call|__call__)$/, role: "tool" },
  { pattern: /(?:Agent|AgentWorkflow)\.run$/, role: "agent" },
  { pattern: /\.run$/, role: "workflow" },
  { pattern: /Retriever\._?a?retrieve$/, role: "retriever" },
  { pattern: /\.(?:_?a?get_(?:query|text)_embeddings?|get_text_embedding_batch)$/, role: "embedding" },
  { pattern: /\.a?postprocess_nodes$/, role: "reranker" },
  { pattern: /^\w+\.\w+$/, role: "step" },
];

const counts = (...names: readonly string[]): string[] =>
  ["response.raw.usage.", "response.raw.usage_metadata.", "response.additional_kwargs."].flatMap((prefix) =>
    names.map((name) => prefix + name),
  );

/**
 * The events at the beginning and end of a call. Their attributes are the fields of the response, with nested names: `response.raw` is the
 * provider's own response.
 */
export const nativeFields: NonNullable<Adapter["events"]> = [
  ...["LLMChatStartEvent", "LLMCompletionStartEvent"].map((name) => ({
    name,
    fields: {
      inputMessages: ["messages", "prompt"],
      requestModel: ["model_dict.model_name", "model_dict.model"],
    },
  })),
  ...["LLMChatEndEvent", "LLMCompletionEndEvent"].map((name) => ({
    name,
    fields: {
      outputMessages: ["response.message.blocks", "response.raw.choices"],
      outputText: ["response.text"],
      responseModel: ["response.raw.model", "response.raw.model_version"],
      responseId: ["response.raw.id"],
      finish: ["response.raw.stop_reason"],
      inputTokens: counts("prompt_tokens", "input_tokens", "prompt_token_count"),
      outputTokens: counts("completion_tokens", "output_tokens", "candidates_token_count"),
      cachedTokens: counts(
        "prompt_tokens_details.cached_tokens",
        "input_tokens_details.cached_tokens",
        "cache_read_input_tokens",
        "cached_content_token_count",
      ),
      reasoningTokens: counts(
        "completion_tokens_details.reasoning_tokens",
        "output_tokens_details.reasoning_tokens",
        "thoughts_token_count",
      ),
    },
  })),
  { name: "RetrievalStartEvent", fields: { retrievalQuery: ["str_or_query_bundle"] } },
  { name: "RetrievalEndEvent", fields: { documents: ["nodes"] } },
];

interface NativeTool {
  readonly name: string;
  readonly id: string | undefined;
  readonly arguments: JsonValue | undefined;
}

/**
 * Returns the tool call in the input of a step that calls a tool. The input is printed Python: `ToolCall(tool_name='…', tool_kwargs={…},
 * tool_id='…')`.
 */
export function nativeTool({ span }: SpanFacts): NativeTool | undefined {
  if (!span.name.endsWith(".call_tool")) return undefined;
  const text = span.named("llamaindex.step.input_summary");
  const match = typeof text === "string" ? /^ToolCall\(tool_name='([^']+)'/.exec(text) : null;
  if (match?.[1] === undefined || typeof text !== "string") return undefined;
  const id = /, tool_id='([^']+)'\)$/.exec(text)?.[1];
  const given = /, tool_kwargs=(\{.*\}), tool_id=/s.exec(text)?.[1];
  return { name: match[1], id, arguments: given };
}

/** Returns the agent of a workflow step, from the last event of the step that names one; undefined if there is none. */
export function nativeAgent({ span }: SpanFacts): string | undefined {
  const agents = span.events.map((event) => agentIn(event)).filter((name) => name !== undefined);
  return agents[agents.length - 1];
}

function agentIn(event: EventView): string | undefined {
  const output = event.name === "step.output" ? event.named("output") : undefined;
  return typeof output === "string" ? /current_agent_name='([^']+)'/.exec(output)?.[1] : undefined;
}

/**
 * Returns the printed result of a step or workflow; undefined if there is none, or if it is truncated. LlamaIndex truncates results after
 * 200 characters.
 */
export function nativeOutput({ span }: SpanFacts): JsonValue | undefined {
  const event = span.events.find(({ name }) => name === "step.output" || name === "workflow.output");
  const output = event?.named("output");
  return typeof output === "string" && !output.endsWith("...") ? output : undefined;
}
