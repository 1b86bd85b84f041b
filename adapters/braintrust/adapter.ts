import { type Adapter, type JsonValue, parseJson, type SpanFacts, type SpanRole } from "../adapter-type.ts";

const modelOf = inMetadata("model");

const roles: ReadonlyMap<string, SpanRole> = new Map<string, SpanRole>([
  ["llm", "call"],
  ["tool", "tool"],
  ["function", "step"],
  ["task", "agent"],
  ["eval", "evaluation"],
  ["score", "evaluation"],
]);

/** Braintrust's SDKs, as they write to OpenTelemetry: every value is JSON. */
export const braintrust: Adapter = {
  dialect: "braintrust",
  markers: ["braintrust.span_attributes", "braintrust.input_json", "braintrust.output_json"],
  scopes: ["braintrust", "braintrust.*", "braintrust-*"],
  fields: {
    input: ["braintrust.input_json", "braintrust.input"],
    output: ["braintrust.output_json", "braintrust.output"],
    usage: ["braintrust.metrics"],
    conversation: ["braintrust.metadata.session_id", "braintrust.metadata.thread_id"],
  },
  role: (facts, role) => roles.get(typeOf(facts) ?? "") ?? (isCall(facts) ? "call" : role),
  derive: {
    model: modelOf,
    provider: inMetadata("provider"),
    finish: inMetadata("stop_reason"),
    toolDefinitions: offeredTools,
    tool: toolName,
  },
  producers: [
    {
      name: "Braintrust",
      scopes: ["braintrust", "braintrust.*", "braintrust-*"],
      switches: [{ gives: ["session_ids"], set: "session_id in the metadata of the outermost span" }],
      cannot: [
        {
          what: "agent_names",
          why: "Braintrust has no attribute for the name of an agent; agents are named by their spans",
        },
      ],
      page: "other-platforms.md",
    },
  ],
};

/**
 * Returns the span type, such as `llm`: from `{"type":"llm"}` in one attribute, or from an attribute that contains only
 * the type.
 */
function typeOf({ span }: SpanFacts): string | undefined {
  const whole = span.named("braintrust.span_attributes") ?? span.named("braintrust.span_attributes.type");
  if (typeof whole !== "string") return undefined;
  return whole.startsWith("{") ? /"type":\s*"(\w+)"/.exec(whole)?.[1] : whole;
}

/**
 * Whether the span is a model call of one of Braintrust's Go clients, which write no span type. Among the spans of Go clients, only those
 * of model calls have metadata with a model.
 */
function isCall(facts: SpanFacts): boolean {
  return typeOf(facts) === undefined && modelOf(facts) !== undefined;
}

function inMetadata(name: string): (facts: SpanFacts) => JsonValue | undefined {
  const pattern = new RegExp(`"${name}":\\s*"([^"]+)"`);
  return ({ span }) => {
    const metadata = span.named("braintrust.metadata");
    return typeof metadata === "string" ? pattern.exec(metadata)?.[1] : undefined;
  };
}

function offeredTools({ span }: SpanFacts): JsonValue | undefined {
  const metadata = span.named("braintrust.metadata");
  if (typeof metadata !== "string" || !metadata.includes('"tools":')) return undefined;
  const value = parseJson(metadata);
  return typeof value === "object" && value !== null && "tools" in value ? value["tools"] : undefined;
}

/**
 * Returns the tool's name, which is the span name; undefined for other spans. LangChainGo gives all tool spans the name `langchain.tool`,
 * which is no tool name.
 */
function toolName(facts: SpanFacts): string | undefined {
  return typeOf(facts) === "tool" && facts.span.name !== "langchain.tool" ? facts.span.name : undefined;
}
