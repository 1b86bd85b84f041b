import { expect, test } from "vitest";
import { agentSpan, chatSpan, toolSpan, tokenCounts } from "../support/genai.ts";
import { document, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/* A step without a model call, although other steps of its name have one, shows that a call is missing. Contents are not recorded here. */

const agent = agentSpan("r", undefined, "gauger", 0, 99);
const step = (id: string, at: number, end: number, parent = "r", name = "turn", more = {}): Span =>
  span(id, parent, name, at, end, { "openinference.span.kind": "CHAIN" }, more);
const call = (id: string, at: number, parent: string): Span => chatSpan(id, parent, at, tokenCounts(10, 2));
const tool = (id: string, at: number, parent: string): Span => toolSpan(id, parent, "gauge", at);
const failed = { status: { code: 2, message: "out of range" } };

type Row = readonly [title: string, calls: number | null, spans: readonly Span[]];

const rows: readonly Row[] = [
  ["each step has a call", 2, [step("1", 1, 20), call("a", 2, "1"), step("2", 21, 40), call("b", 22, "2")]],
  ["the second step has none", null, [step("1", 1, 20), call("a", 2, "1"), step("2", 21, 40)]],
  ["the first step has none", null, [step("1", 1, 20), step("2", 21, 40), call("b", 22, "2")]],
  ["the step without a call was short", 1, [step("1", 1, 20), call("a", 2, "1"), step("2", 21, 23)]],
  [
    "the step without a call failed",
    1,
    [step("1", 1, 20), call("a", 2, "1"), step("2", 21, 40, "r", "turn", failed)],
  ],
  [
    "the step without a call has another name",
    1,
    [step("1", 1, 20), call("a", 2, "1"), step("2", 21, 40, "r", "tools")],
  ],
  [
    "the step without a call has a span that the others lack",
    2,
    [
      step("1", 1, 20),
      call("a", 2, "1"),
      step("2", 21, 40),
      tool("t", 25, "2"),
      step("3", 41, 60),
      call("b", 42, "3"),
    ],
  ],
  [
    "the call is next to its step",
    2,
    [step("1", 1, 20), call("a", 2, "1"), step("2", 21, 40), call("b", 22, "r")],
  ],
  [
    "the step without a call is within a step of its name",
    1,
    [step("1", 1, 40), call("a", 2, "1"), step("2", 10, 30, "1")],
  ],
  [
    "a later step ran a tool, and its call is missing",
    null,
    [step("1", 1, 20), call("a", 2, "1"), tool("t", 10, "1"), step("2", 21, 40), tool("u", 30, "2")],
  ],
  [
    "each step has its own enclosing step, and the call of the second one is missing",
    null,
    [
      step("w", 1, 20, "r", "round"),
      step("1", 1, 20, "w"),
      call("a", 2, "1"),
      tool("t", 10, "1"),
      step("x", 21, 40, "r", "round"),
      step("2", 21, 40, "x"),
      tool("u", 30, "2"),
      step("y", 41, 60, "r", "round"),
      step("3", 41, 60, "y"),
      call("c", 42, "3"),
    ],
  ],
];

test.each(rows)("model calls where %s: %s", async (_, calls, spans) => {
  const run = await replayedOne(document([agent, ...spans]));
  expect(run.llmCalls).toBe(calls);
});
