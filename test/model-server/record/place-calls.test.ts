import { expect, test } from "vitest";
import {
  type AgentSpan,
  placeCalls,
  type UnplacedCall,
} from "../../../src/model-server/record/place-calls.ts";

const own = "c".repeat(32);
const trace = "a".repeat(32);

const listOf = (text: string): string[] => text.split(/;\s+/).filter(Boolean);

/** A call from `START-END`, and `failed`, `in=SPAN` or `id=RESPONSE`. */
function callOf(text: string): UnplacedCall {
  const [times = "", what = ""] = text.split(" ");
  const [startUnixMs = 0, endUnixMs = 0] = times.split("-").map(Number);
  const { spanId, responseId = null } =
    /^(?:in=(?<spanId>.*)|id=(?<responseId>.*))$/.exec(what)?.groups ?? {};
  const parent = spanId === undefined ? null : { traceId: trace, spanId };
  const ids = { traceId: own, spanId: `call${startUnixMs}`, parent, responseId };
  return { ...ids, startUnixMs, endUnixMs, hasFailed: what === "failed" };
}

/** A span from `NAME<PARENT START-END HELD`. */
function spanOf(text: string): AgentSpan {
  const [names = "", times = "", held = ""] = text.split(" ");
  const [spanId = "", parentSpanId = null] = names.split("<");
  const [startUnixMs = 0, endUnixMs = 0] = times.split("-").map(Number);
  return { traceId: trace, spanId, parentSpanId, startUnixMs, endUnixMs, texts: () => [held] };
}

const cases: readonly (readonly [what: string, calls: string, spans: string, parents: string | null])[] = [
  ["no telemetry of the agent: a trace of its own", "100-200", "", null],
  ["the span around it", "1000-2000", "agent 0-9000; chat<agent 990-2010", "chat"],
  [
    "the span that its client names, whatever is around it",
    "1000-2000 in=http",
    "chat 990-2010; http<chat 5000-6000",
    "http",
  ],
  [
    "a named span that never came: what is around it",
    "1000-2000 in=lost",
    "agent 0-9000; chat<agent 990-2010",
    "chat",
  ],
  [
    "the span that holds the response's id, before a closer one",
    "1000-2000 id=resp-1",
    "a 1000-2000; b 900-2100 resp-1",
    "b",
  ],
  [
    "the span that holds the response's id inside of a text, among ids that begin alike",
    "1000-2000 id=resp-11; 1000-2000 id=resp-12",
    'a 900-2100 {"id":"resp-12"}; b 900-2100 ["resp-1","resp-11"]',
    "b a",
  ],
  [
    "the innermost of those that hold it",
    "1000-2000 id=resp-1",
    "outer 900-2100 resp-1; inner<outer 900-2200 resp-1",
    "inner",
  ],
  [
    "the one that produced the answer, not a later step that reads the answer",
    "1100-1140 id=resp-1",
    "agent 900-3000 resp-1; chat<agent 1000-1150 resp-1; next<agent 1151-1152 resp-1",
    "chat",
  ],
  [
    "the one that produced the answer, although a later step seems to begin during the call",
    "1100-1160 id=resp-1",
    "chat 1000-1150 resp-1; next 1151-1152 resp-1",
    "chat",
  ],
  [
    "the open one, where a model gives all its responses one id",
    "1000-1100 id=resp-1; 2000-2100 id=resp-1",
    `agent 900-2200 resp-1; chat<agent 990-1110 resp-1; second<agent 1900-2110 resp-1;
      next<agent 2111-2112 resp-1`,
    "chat second",
  ],
  [
    "the span around a short call, not a short span soon after it",
    "1000-1005",
    "agent 900-1100; tool<agent 1011-1012",
    "agent",
  ],
  [
    "calls in parallel: each its own",
    "1000-2000; 1001-1990",
    "agent 0-9000; a<agent 999-2003; b<agent 1000-1992",
    "a b",
  ],
  [
    "attempts of one call: both below its span",
    "1000-1100 failed; 1200-1400",
    "agent 0-9000; chat<agent 990-1410",
    "chat chat",
  ],
  [
    "a call that is not instrumented, below the agent that made it",
    "1000-2000; 3000-4000",
    "agent 0-9000; tool<agent 2100-2200",
    "agent agent",
  ],
  [
    "a failed call that no span is around: below the agent's root that began before it",
    "3000-3100 failed",
    "first 0-900; agent 1000-2000; chat<agent 1100-1200",
    "agent",
  ],
  [
    "a failed call before all spans: below the first root",
    "100-200 failed",
    "agent 1000-2000; second 3000-4000",
    "agent",
  ],
  [
    "a failed call of an agent whose root never came: beside its other spans",
    "3000-3100 failed",
    "chat<lost 1100-1200; inner<chat 1110-1190",
    "lost",
  ],
];

test.each(cases)("%s", (_, callTexts, spanTexts, parentNames) => {
  const calls = listOf(callTexts).map(callOf);
  const places = placeCalls(calls, listOf(spanTexts).map(spanOf));
  const parents = parentNames?.split(" ") ?? [null];

  expect(calls.map((one) => places.get(one)?.parentSpanId)).toEqual(parents);
  expect(calls.map((one) => places.get(one)?.traceId)).toEqual(
    parents.map((parent) => (parent === null ? own : trace)),
  );
});
