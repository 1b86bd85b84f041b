import { type Adapter, type EventView, type JsonValue, parseJson, type SpanFacts } from "../adapter-type.ts";

/**
 * Monocle, the Linux Foundation's tracer of agent frameworks. Attributes name the entities, such as agents and tools; three events contain
 * the input, the output and the token counts.
 */
export const monocle: Adapter = {
  dialect: "monocle",
  markers: ["monocle_apptrace.version"],
  isIsolated: true,
  roles: {
    "span.type": {
      workflow: "workflow",
      "agentic.turn": "workflow",
      "agentic.invocation": "agent",
      "agentic.delegation": "handoff",
      "agentic.tool.invocation": "tool",
      "agentic.mcp.invocation": "tool",
      inference: "call",
      "inference.framework": "call",
      // The request to the model's API; it is a span within the framework's call span, or the only span of the call.
      "inference.modelapi": "call",
      retrieval: "retriever",
      embedding: "embedding",
    },
  },
  fields: { instructions: ["entity.1.instructions"] },
  events: [
    {
      name: "metadata",
      fields: {
        inputTokens: ["prompt_tokens"],
        outputTokens: ["completion_tokens"],
        totalTokens: ["total_tokens"],
        cachedTokens: ["cache_read_input_tokens"],
        finish: ["finish_reason"],
      },
    },
  ],
  derive: {
    agent: (facts) => (isOfType(facts, "agentic.invocation") ? entity(facts, 1) : agentOfTool(facts)),
    model: (facts) => (isCall(facts) ? entity(facts, 2) : undefined),
    tool: (facts) => (isTool(facts) ? entity(facts, 1) : undefined),
    arguments: (facts) => (isTool(facts) ? content(facts, "data.input", "input") : undefined),
    result: (facts) => (isTool(facts) ? content(facts, "data.output", "response") : undefined),
    inputMessages: (facts) => (isCall(facts) ? messages(content(facts, "data.input", "input")) : undefined),
    outputMessages: (facts) =>
      isCall(facts) ? messages(content(facts, "data.output", "response")) : undefined,
    input: (facts) => (isCall(facts) || isTool(facts) ? undefined : content(facts, "data.input", "input")),
    output: (facts) =>
      isCall(facts) || isTool(facts) ? undefined : content(facts, "data.output", "response"),
  },
};

function isOfType(facts: SpanFacts, type: string): boolean {
  return facts.head("span.type") === type;
}

function isCall(facts: SpanFacts): boolean {
  return facts.head("span.type")?.startsWith("inference") === true;
}

function isTool(facts: SpanFacts): boolean {
  return /^agentic\.(?:tool|mcp)\./.test(facts.head("span.type") ?? "");
}

function entity({ span }: SpanFacts, number: 1 | 2): JsonValue | undefined {
  return span.named(`entity.${number}.name`);
}

function agentOfTool(facts: SpanFacts): JsonValue | undefined {
  return isTool(facts) ? entity(facts, 2) : undefined;
}

function content({ span }: SpanFacts, event: string, attribute: string): JsonValue | undefined {
  const found: EventView | undefined = span.events.find(({ name }) => name === event);
  return found?.named(attribute);
}

/** Returns messages with roles. Monocle writes each message as a JSON object whose key is the role: `{"user": "…"}`. */
function messages(value: JsonValue | undefined): JsonValue | undefined {
  const texts = Array.isArray(value) ? value : [value];
  const read = texts.flatMap((text) => {
    const json = typeof text === "string" ? parseJson(text) : text;
    return isRecord(json) ? Object.entries(json).map(([role, content]) => message(role, content)) : [];
  });
  return read.length > 0 ? read : undefined;
}

function message(role: string, value: JsonValue): JsonValue {
  if (role === "tools" && Array.isArray(value)) return { role: "assistant", tool_calls: value.map(call) };
  if (isRequest(value)) return { role: "assistant", tool_calls: [call(value)] };
  // In a history, one text can contain a list of the tool requests of one turn.
  const listed = typeof value === "string" && value.startsWith("[") ? parseJson(value) : undefined;
  if (Array.isArray(listed) && listed.length > 0 && listed.every(isRequest))
    return { role: "assistant", tool_calls: listed.map(call) };
  return { role: role === "ai" ? "assistant" : role === "human" ? "user" : role, content: value };
}

function isRequest(value: JsonValue): boolean {
  return isRecord(value) && value.type === "tool_call";
}

function call(asked: JsonValue): JsonValue {
  if (!isRecord(asked)) return asked;
  return {
    id: asked.tool_id ?? asked.id ?? null,
    name: asked.tool_name ?? asked.name ?? null,
    arguments: asked.tool_arguments ?? asked.args ?? null,
  };
}

function isRecord(value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
