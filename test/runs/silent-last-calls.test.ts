import { expect, test } from "vitest";
import {
  agentSpan,
  asks,
  chatSpan,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolAttributes,
  toolSpan,
  words,
} from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/*
 * A tool ran after a call without recorded content, and no call follows. If a model may have requested the tool, a last call is missing, and
 * the number of calls is unknown. If the program itself ran the tool, the calls are complete.
 */

const answer = outputMessages(words("assistant", "3.1 metres."));
const app = (more: Attributes = {}): Span =>
  span("r", undefined, "handle", 0, 90, { "openinference.span.kind": "CHAIN", ...more });
const agent = (more: Attributes = {}): Span => agentSpan("r", undefined, "gauger", 0, 90, more);
const silent = (id: string, at: number, more: Attributes = {}): Span =>
  chatSpan(id, "r", at, { ...tokenCounts(10, 2), ...more });
const tool = (at: number, callId?: string): Span =>
  toolSpan(`t${at}`, "r", "gauge", at, toolAttributes("gauge", callId, "3.1"));
const asking = chatSpan("q", "r", 1, {
  ...tokenCounts(10, 2),
  ...inputMessages(words("user", "How high?")),
  ...outputMessages(asks("c1", "gauge")),
});

type Row = readonly [title: string, calls: number | null, spans: readonly Span[]];

const rows: readonly Row[] = [
  ["the tool has a call id, so a model requested it", null, [app(), silent("a", 20), tool(30, "c2")]],
  ["no tool has a call id or a request", 1, [app(), silent("a", 20), tool(30)]],
  [
    "a model requested an earlier tool, and the run has an answer",
    null,
    [
      app({ "output.value": "It is 3.1 metres high today." }),
      asking,
      tool(10, "c1"),
      silent("a", 20),
      tool(30),
    ],
  ],
  [
    "no model requested a tool, and the run has an answer, which the program may have written",
    1,
    [app({ "output.value": "It is 3.1 metres high today." }), silent("a", 20), tool(30)],
  ],
  ["an agent ran the tool", null, [agent(answer), silent("a", 20), tool(30, "c2")]],
  [
    "the call ended by itself",
    1,
    [app(), silent("a", 20, { "gen_ai.response.finish_reasons": ["stop"] }), tool(30)],
  ],
  [
    "the call ended for tools",
    null,
    [app(), silent("a", 20, { "gen_ai.response.finish_reasons": ["tool_calls"] }), tool(30)],
  ],
  ["another call follows", 2, [app(), silent("a", 20), tool(30), silent("b", 40)]],
  ["another call follows in an agent", 2, [agent(answer), silent("a", 20), tool(30, "c2"), silent("b", 40)]],
];

test.each(rows)("model calls where %s: %s", async (_, calls, spans) => {
  const run = await replayedOne(document(spans));
  expect(run.llmCalls).toBe(calls);
});
