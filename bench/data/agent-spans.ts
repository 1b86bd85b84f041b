import { int, type KeyValue, type Span, text, type TraceRequest } from "./otlp-json.ts";

const MILLISECOND = 1_000_000n;
const BEGUN = 1_763_700_000_000_000_000n;

/**
 * One run of an agent in as many spans as are asked for: a root, and below it model calls and tools in turn, none of them with contents. In the
 * order they end, the root last. The same for the same numbers.
 */
export function agentSpans(trace: number, count: number): Span[] {
  const traceId = `7${(trace + 1).toString(16).padStart(31, "0")}`;
  const idOf = (at: number): string => `3${(trace * 131 + at + 1).toString(16).padStart(15, "0")}`;
  const start = BEGUN + BigInt(trace) * MILLISECOND;
  const span = (at: number, name: string, attributes: KeyValue[]): Span => ({
    traceId,
    spanId: idOf(at),
    parentSpanId: at === 0 ? "" : idOf(0),
    flags: 257,
    name,
    kind: 1,
    startTimeUnixNano: String(start + BigInt(at) * MILLISECOND),
    endTimeUnixNano: String(start + BigInt(at === 0 ? count + 1 : at + 1) * MILLISECOND),
    attributes,
    status: {},
  });
  const below = Array.from({ length: count - 1 }, (_, at) =>
    at % 2 === 0 ? span(at + 1, "chat gpt-4o", chat) : span(at + 1, "execute_tool search_orders", tool),
  );
  return [...below, span(0, "invoke_agent support-agent", agent)];
}

const agent = [
  text("gen_ai.operation.name", "invoke_agent"),
  text("gen_ai.agent.name", "support-agent"),
  text("gen_ai.input.messages", messages("user", "Where is my parcel?")),
  text("gen_ai.output.messages", messages("assistant", "It left the depot this morning.")),
];
const chat = [
  text("gen_ai.operation.name", "chat"),
  text("gen_ai.agent.name", "support-agent"),
  text("gen_ai.request.model", "gpt-4o"),
  int("gen_ai.usage.input_tokens", 400),
  int("gen_ai.usage.output_tokens", 40),
];
const tool = [
  text("gen_ai.operation.name", "execute_tool"),
  text("gen_ai.agent.name", "support-agent"),
  text("gen_ai.tool.name", "search_orders"),
];

function messages(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}

export function requestOf(spans: readonly Span[]): TraceRequest {
  const scope = { name: "opentelemetry.instrumentation.openai_agents", version: "0.48b0" };
  const resource = { attributes: [text("service.name", "agent-service")] };
  const schemaUrl = "https://opentelemetry.io/schemas/1.37.0";
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }], schemaUrl }] };
}
