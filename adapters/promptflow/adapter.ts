import { type Adapter, type JsonValue, parseJson, type SpanRole, type SpanFacts } from "../adapter-type.ts";

export const promptflow: Adapter = {
  dialect: "promptflow",
  scopes: ["promptflow"],
  markers: ["__computed__.cumulative_token_count.total"],
  roles: { span_type: { llm: "call", flow: "workflow", embedding: "embedding", retrieval: "retriever" } },
  fields: {
    conversation: ["session_id"],
    responseModel: ["llm.response.model"],
    inputTokens: ["llm.usage.prompt_tokens"],
    outputTokens: ["llm.usage.completion_tokens"],
    totalTokens: ["llm.usage.total_tokens"],
    outputMessages: ["llm.generated_message"],
    input: ["inputs"],
    output: ["output"],
  },
  role: functionRole,
  derive: {
    agent: ({ span }) => (isFunction(span) && span.parentSpanId === undefined ? span.name : undefined),
    responseId: (facts) => at(response(facts), "id"),
    finish: (facts) => at(at(at(response(facts), "choices"), 0), "finish_reason"),
    toolDefinitions: (facts) => (isCall(facts) ? at(facts.json("input"), "tools") : undefined),
    retrievalQuery: ({ span }) => payload(span, "promptflow.retrieval.query"),
    documents: ({ span }) => documents(payload(span, "promptflow.retrieval.documents")),
  },
  producers: [{ name: "Prompt flow", scopes: ["promptflow"], switches: [], page: "promptflow.md" }],
};

function isFunction(span: SpanFacts["span"]): boolean {
  return span.named("span_type") === "Function";
}

/**
 * Returns the role of a traced function, whose span type is always `Function`. The outermost function is the application (`agent`). Any
 * other function may be a tool or a helper; it gets the role `step`, and tools are read from the model's messages.
 */
function functionRole({ span }: SpanFacts, role: SpanRole): SpanRole {
  if (!isFunction(span)) return role;
  return span.parentSpanId === undefined ? "agent" : "step";
}

/** Returns the complete response of the provider's API; for a stream, the list of its chunks. */
function response(facts: SpanFacts): JsonValue | undefined {
  return isCall(facts) ? facts.json("output") : undefined;
}

function isCall({ span }: SpanFacts): boolean {
  return span.named("span_type") === "LLM";
}

/** Returns the content of an event, which is JSON in the attribute `payload`. */
function payload(span: SpanFacts["span"], name: string): JsonValue | undefined {
  const text = span.events.find((event) => event.name === name)?.named("payload");
  if (typeof text !== "string") return undefined;
  return parseJson(text) ?? text;
}

/**
 * Returns the documents of a retrieval. The key of a document's field contains a dot: `document.id`, `document.content`, `document.score`.
 */
function documents(listed: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(listed)) return undefined;
  return (listed as readonly JsonValue[]).map((document) => ({
    id: at(document, "document.id") ?? null,
    content: at(document, "document.content") ?? null,
    score: at(document, "document.score") ?? null,
  }));
}

function at(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { readonly [key: string | number]: JsonValue })[key];
}
