import { type Adapter, type JsonValue, parseJson, type SpanFacts } from "../adapter-type.ts";

/** Matches functions of LangChain's model classes that make no model call. Langtrace creates a span for every function of these classes. */
const langchainHelper = /^Base\w*Model\.(?:asdict|dict|model_post_init|get_\w+|bind\w*|with_\w+|set_\w+)$/;

/** Langtrace's SDK, which writes older GenAI attributes, some of them under Langtrace's own names. Contents are in span events. */
export const langtrace: Adapter = {
  dialect: "langtrace",
  markers: ["langtrace.sdk.name", "langtrace.service.name"],
  scopes: ["langtrace_python_sdk*", "@langtrase/*"],
  roles: {
    "langtrace.service.type": { vectordb: "retriever" },
    "langchain.task.name": { chatmodel: "call" },
  },
  fields: {
    cachedTokens: ["gen_ai.usage.cached_tokens"],
    conversation: ["session.id"],
    inputMessages: ["langchain.inputs"],
    outputMessages: ["langchain.outputs"],
  },
  role: ({ span }, role) => {
    if (isRootSpan(span)) return "agent";
    return langchainHelper.test(span.name) ? "setup" : role;
  },
  derive: {
    // The decorator gives its span the name of the function or agent that it wraps.
    agent: ({ span }) => (isRootSpan(span) ? span.name : undefined),
    metadata: ({ span }) => member(objectIn(span, "langchain.metadata"), "metadata"),
    responseModel: ({ span }) => inResponse(span, "model_name"),
    responseId: ({ span }) => inResponse(span, "id"),
  },
};

/** Whether `with_langtrace_root_span` started the span, or in JavaScript `withLangTraceRootSpan` with a name. */
function isRootSpan(span: SpanFacts["span"]): boolean {
  if (span.scopeName.endsWith("with_root_span")) return true;
  return (
    span.scopeName === "@langtrase/typescript-sdk" &&
    span.parentSpanId === undefined &&
    span.named("langtrace.service.name") === undefined &&
    span.name !== "LangtraceRootSpan"
  );
}

/** Returns a value from the metadata of LangChain's response. */
function inResponse(span: SpanFacts["span"], key: string): JsonValue | undefined {
  return member(member(objectIn(span, "langchain.outputs"), "response_metadata"), key);
}

function objectIn(span: SpanFacts["span"], attribute: string): JsonValue | undefined {
  const text = span.named(attribute);
  return typeof text === "string" ? parseJson(text) : undefined;
}

function member(object: JsonValue | undefined, key: string): JsonValue | undefined {
  return typeof object === "object" && object !== null && !Array.isArray(object)
    ? (object as Readonly<Record<string, JsonValue>>)[key]
    : undefined;
}
