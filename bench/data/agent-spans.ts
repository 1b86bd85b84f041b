import { type Attributes, messages, type Span, spanOf } from "./span.ts";

const MILLISECOND = 1_000_000n;
const BEGUN = 1_763_700_000_000_000_000n;

const agent: Attributes = {
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": "support-agent",
  "gen_ai.input.messages": messages("user", "Where is my parcel?"),
  "gen_ai.output.messages": messages("assistant", "It left the depot this morning."),
};
const chat: Attributes = {
  "gen_ai.operation.name": "chat",
  "gen_ai.agent.name": "support-agent",
  "gen_ai.request.model": "gpt-4o",
  "gen_ai.usage.input_tokens": 400,
  "gen_ai.usage.output_tokens": 40,
};
const tool: Attributes = {
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.agent.name": "support-agent",
  "gen_ai.tool.name": "search_orders",
};

/**
 * One run of an agent with `count` spans: a root, and below it model calls and tool calls in turn, without messages. Spans are in the order
 * in which they end, the root last. Equal arguments give equal spans.
 */
export function agentSpans(trace: number, count: number): Span[] {
  const traceId = `7${(trace + 1).toString(16).padStart(31, "0")}`;
  const idOf = (at: number): string => `3${(trace * 131 + at + 1).toString(16).padStart(15, "0")}`;
  const start = BEGUN + BigInt(trace) * MILLISECOND;
  const span = (at: number, name: string, attributes: Attributes): Span =>
    spanOf({
      traceId,
      spanId: idOf(at),
      parentSpanId: at === 0 ? "" : idOf(0),
      name,
      startNano: start + BigInt(at) * MILLISECOND,
      endNano: start + BigInt(at === 0 ? count + 1 : at + 1) * MILLISECOND,
      attributes,
    });
  const below = Array.from({ length: count - 1 }, (_, at) =>
    at % 2 === 0 ? span(at + 1, "chat gpt-4o", chat) : span(at + 1, "execute_tool search_orders", tool),
  );
  return [...below, span(0, "invoke_agent support-agent", agent)];
}
