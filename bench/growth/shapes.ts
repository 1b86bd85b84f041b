import { int, type KeyValue, type Span, text } from "../data/otlp-json.ts";
import { agentSpans } from "../data/agent-spans.ts";

/** One trace of about so many spans, in shapes that are not one agent's with all right below it. */
export const shapes: Readonly<Record<string, (spans: number) => Span[]>> = {
  "agents within each other": (spans) => nested(spans, (at) => agent(`agent-${at}`)),
  "calls within each other": (spans) => nested(spans, () => call),
  "runs beside each other": (spans) => {
    const runs = Array.from({ length: Math.ceil(spans / 4) }, (_, run) => agentSpans(run, 4));
    return runs.flat().map((span) => ({ ...span, traceId: runs[0]?.[0]?.traceId ?? span.traceId }));
  },
  "tools without ids": (spans) =>
    below(spans, (at) => (at % 2 === 0 ? asking(at >> 1) : tool({ q: `item ${at >> 1}` }))),
  "two layers of calls": (spans) => below(spans, () => call, true),
  "handing over": (spans) => below(spans, (at) => (at % 2 === 0 ? agent(`agent-${at}`) : transfer(at + 1))),
};

interface Kind {
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

const agent = (name: string): Kind => ({
  name: `invoke_agent ${name}`,
  attributes: [text("gen_ai.operation.name", "invoke_agent"), text("gen_ai.agent.name", name)],
});

const call: Kind = {
  name: "chat gpt-4o",
  attributes: [
    text("gen_ai.operation.name", "chat"),
    text("gen_ai.request.model", "gpt-4o"),
    int("gen_ai.usage.input_tokens", 400),
    int("gen_ai.usage.output_tokens", 40),
  ],
};

function asking(item: number): Kind {
  const parts = [{ type: "tool_call", name: "search_orders", arguments: { q: `item ${item}` } }];
  const said = JSON.stringify([{ role: "assistant", parts }]);
  return { ...call, attributes: [...call.attributes, text("gen_ai.output.messages", said)] };
}

const tool = (given: object, name = "search_orders"): Kind => ({
  name: `execute_tool ${name}`,
  attributes: [
    text("gen_ai.operation.name", "execute_tool"),
    text("gen_ai.tool.name", name),
    text("gen_ai.tool.call.arguments", JSON.stringify(given)),
  ],
});

const transfer = (to: number): Kind => tool({}, `transfer_to_agent_${to}`);

const MILLISECOND = 1_000_000n;
const BEGUN = 1_763_700_000_000_000_000n;

function spanOf({ name, attributes }: Kind, at: number, parent: number, endMs: number): Span {
  const idOf = (of: number): string => `4${(of + 1).toString(16).padStart(15, "0")}`;
  return {
    traceId: "8".padStart(32, "0"),
    spanId: idOf(at),
    parentSpanId: parent < 0 ? "" : idOf(parent),
    flags: 257,
    name,
    kind: 1,
    startTimeUnixNano: String(BEGUN + BigInt(at) * MILLISECOND),
    endTimeUnixNano: String(BEGUN + BigInt(endMs) * MILLISECOND),
    attributes,
    status: {},
  };
}

function nested(spans: number, kindOf: (at: number) => Kind): Span[] {
  return Array.from({ length: spans }, (_, at) => spanOf(kindOf(at), at, at - 1, 2 * spans - at));
}

/** Below one agent; in `pairs` each second one within the one before. */
function below(spans: number, kindOf: (at: number) => Kind, pairs = false): Span[] {
  const under = Array.from({ length: spans - 1 }, (_, at) => {
    const isInner = pairs && at % 2 === 1;
    return spanOf(kindOf(at), at + 1, isInner ? at : 0, isInner ? at + 2 : at + 4);
  });
  return [spanOf(agent("support-agent"), 0, -1, spans + 9), ...under];
}
