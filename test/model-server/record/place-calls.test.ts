import { expect, test } from "vitest";
import {
  type AgentSpan,
  placeCalls,
  type UnplacedCall,
} from "../../../src/model-server/record/place-calls.ts";

const own = "c".repeat(32);
const trace = "a".repeat(32);

function call(startUnixMs: number, endUnixMs: number, given: Partial<UnplacedCall> = {}): UnplacedCall {
  const spanId = `call${startUnixMs}`;
  const rest = { responseId: null, parent: null, traceId: own, hasFailed: false, spanId };
  return { ...rest, startUnixMs, endUnixMs, ...given };
}

function span(
  spanId: string,
  startUnixMs: number,
  endUnixMs: number,
  parentSpanId: string | null = null,
  held = "",
): AgentSpan {
  return { traceId: trace, spanId, parentSpanId, startUnixMs, endUnixMs, texts: () => [held] };
}

const cases: readonly (readonly [
  what: string,
  calls: readonly UnplacedCall[],
  spans: readonly AgentSpan[],
  parents: readonly (string | null)[],
])[] = [
  ["no telemetry of the agent: a trace of its own", [call(100, 200)], [], [null]],
  [
    "the span around it",
    [call(1000, 2000)],
    [span("agent", 0, 9000), span("chat", 990, 2010, "agent")],
    ["chat"],
  ],
  [
    "the span that its client names, whatever is around it",
    [call(1000, 2000, { parent: { traceId: trace, spanId: "http" } })],
    [span("chat", 990, 2010), span("http", 5000, 6000, "chat")],
    ["http"],
  ],
  [
    "a named span that never came: what is around it",
    [call(1000, 2000, { parent: { traceId: trace, spanId: "lost" } })],
    [span("agent", 0, 9000), span("chat", 990, 2010, "agent")],
    ["chat"],
  ],
  [
    "the span that holds the response's id, before a closer one",
    [call(1000, 2000, { responseId: "resp-1" })],
    [span("a", 1000, 2000), span("b", 900, 2100, null, "resp-1")],
    ["b"],
  ],
  [
    "the span that holds the response's id inside of a text, among ids that begin alike",
    [call(1000, 2000, { responseId: "resp-11" }), call(1000, 2000, { responseId: "resp-12" })],
    [span("a", 900, 2100, null, '{"id":"resp-12"}'), span("b", 900, 2100, null, '["resp-1","resp-11"]')],
    ["b", "a"],
  ],
  [
    "the innermost of those that hold it",
    [call(1000, 2000, { responseId: "resp-1" })],
    [span("outer", 900, 2100, null, "resp-1"), span("inner", 900, 2200, "outer", "resp-1")],
    ["inner"],
  ],
  [
    "the one that produced the answer, not a later step that reads the answer",
    [call(1100, 1140, { responseId: "resp-1" })],
    [
      span("agent", 900, 3000, null, "resp-1"),
      span("chat", 1000, 1150, "agent", "resp-1"),
      span("next", 1151, 1152, "agent", "resp-1"),
    ],
    ["chat"],
  ],
  [
    "the one that produced the answer, although a later step seems to begin during the call",
    [call(1100, 1160, { responseId: "resp-1" })],
    [span("chat", 1000, 1150, null, "resp-1"), span("next", 1151, 1152, null, "resp-1")],
    ["chat"],
  ],
  [
    "the open one, where a model gives all its responses one id",
    [call(1000, 1100, { responseId: "resp-1" }), call(2000, 2100, { responseId: "resp-1" })],
    [
      span("agent", 900, 2200, null, "resp-1"),
      span("chat", 990, 1110, "agent", "resp-1"),
      span("second", 1900, 2110, "agent", "resp-1"),
      span("next", 2111, 2112, "agent", "resp-1"),
    ],
    ["chat", "second"],
  ],
  [
    "the span around a short call, not a short span soon after it",
    [call(1000, 1005)],
    [span("agent", 900, 1100), span("tool", 1011, 1012, "agent")],
    ["agent"],
  ],
  [
    "calls in parallel: each its own",
    [call(1000, 2000), call(1001, 1990)],
    [span("agent", 0, 9000), span("a", 999, 2003, "agent"), span("b", 1000, 1992, "agent")],
    ["a", "b"],
  ],
  [
    "attempts of one call: both below its span",
    [call(1000, 1100, { hasFailed: true }), call(1200, 1400)],
    [span("agent", 0, 9000), span("chat", 990, 1410, "agent")],
    ["chat", "chat"],
  ],
  [
    "a call that is not instrumented, below the agent that made it",
    [call(1000, 2000), call(3000, 4000)],
    [span("agent", 0, 9000), span("tool", 2100, 2200, "agent")],
    ["agent", "agent"],
  ],
  [
    "a failed call that no span is around: below the agent's root that began before it",
    [call(3000, 3100, { hasFailed: true })],
    [span("first", 0, 900), span("agent", 1000, 2000), span("chat", 1100, 1200, "agent")],
    ["agent"],
  ],
  [
    "a failed call before all spans: below the first root",
    [call(100, 200, { hasFailed: true })],
    [span("agent", 1000, 2000), span("second", 3000, 4000)],
    ["agent"],
  ],
  [
    "a failed call of an agent whose root never came: beside its other spans",
    [call(3000, 3100, { hasFailed: true })],
    [span("chat", 1100, 1200, "lost"), span("inner", 1110, 1190, "chat")],
    ["lost"],
  ],
];

test.each(cases)("%s", (_, calls, spans, parents) => {
  const places = placeCalls(calls, spans);

  expect(calls.map((one) => places.get(one)?.parentSpanId)).toEqual(parents);
  expect(calls.map((one) => places.get(one)?.traceId)).toEqual(
    parents.map((parent) => (parent === null ? own : trace)),
  );
});
