import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { agentSpan, chatSpan, tokenCounts, toolAttributes } from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { wronglyAllowed } from "../support/forbidden-tools.ts";
import { replayedOne } from "../support/replayed.ts";

/** Spans that tell tokens or an answer, and nothing of what the model asked for: a forbidden tool may have run. */

const counts = (input: number, output: number): Attributes => ({
  "gen_ai.request.model": "small",
  ...tokenCounts(input, output),
});
const said = (answer: string): Attributes => ({ "run.prompt": "How high?", "run.result": answer });
const chat = (id: string, parent: string, at: number, more: Attributes = counts(10, 2)): Span =>
  chatSpan(id, parent, at, more);
const agent = (more: Attributes): Span => agentSpan("r", undefined, "gauger", 0, 99, more);
const words = (text: string): string =>
  JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: text }] }]);

const run = (spans: readonly Span[]): Promise<AgentRun> => replayedOne(document(spans));

/** The tool calls that really happened: a spec that forbids the gauge must not pass. */
const truth = {
  tools: [{ name: "gauge", arguments: {}, result: "3.1", agent: "gauger" }],
} as unknown as Parameters<typeof wronglyAllowed>[0][number];

describe("tools are unknown, so that no spec passes that forbids one", () => {
  it.each<readonly [string, readonly Span[]]>([
    [
      "an agent's span by its kind, with the model and tokens of the whole run",
      [
        span("r", undefined, "acme.run", 0, 99, {
          "acme.span_kind": "agent_run",
          ...said("3.1"),
          ...counts(9, 3),
        }),
      ],
    ],
    [
      "an agent's span by its name",
      [span("r", undefined, "acme.agent.run", 0, 99, { ...said("3.1"), ...counts(9, 3) })],
    ],
    [
      "calls without words below a span with the answer",
      [agent({ "gen_ai.output.messages": words("3.1") }), chat("a", "r", 1), chat("b", "r", 20)],
    ],
    [
      "a streamed call that shows an empty text and no end",
      [
        agent({ "gen_ai.output.messages": words("") }),
        chat("a", "r", 1, { "gen_ai.output.messages": words("") }),
      ],
    ],
    [
      "agents within agents that count tokens and show no call",
      [
        agent({ "gen_ai.output.messages": words("3.1"), ...counts(60, 9) }),
        agentSpan("s", "r", "helper", 5, 60, counts(40, 5)),
      ],
    ],
  ])("%s", async (_, spans) => {
    expect(wronglyAllowed([truth], [await run(spans)])).toEqual([]);
  });

  it("tools are known where the last of the calls shows its answer", async () => {
    const last = chat("b", "r", 20, { "gen_ai.output.messages": words("3.1"), ...counts(20, 3) });
    const one = await run([agent({ "gen_ai.output.messages": words("3.1") }), last]);
    expect([one.tools, one.missing.filter(({ what }) => what === "tools")]).toEqual([[], []]);
  });
});

it("tokens of nested agents are unknown: the outer count may leave the inner one out", async () => {
  const inner = span("s", "r", "invoke_agent helper", 5, 60, {
    "gen_ai.operation.name": "invoke_agent",
    ...counts(40, 5),
  });
  const { usage } = await run([agent(counts(60, 9)), inner]);
  expect([usage.input, usage.output]).toEqual([null, null]);
});

const silent = (id: string, parent: string, at: number): Span =>
  chat(id, parent, at, { "gen_ai.request.model": "small", "gen_ai.output.messages": words("3.1") });
const around = (role: string): Span =>
  span("r", undefined, `${role} gauger`, 0, 99, { "gen_ai.operation.name": role, ...counts(60, 9) });
const helper = agentSpan("h", "r", "helper", 20, 40);
const asksHelper = span("t", "r", "execute_tool ask_helper", 10, 50, toolAttributes("ask_helper"));

it.each<readonly [string, readonly Span[], number | null]>([
  ["are the run's, if it is an agent", [agent(counts(60, 9)), silent("a", "r", 1), silent("b", "r", 20)], 60],
  ["are the run's, if it is a workflow", [around("invoke_workflow"), silent("a", "r", 1)], 60],
  ["are unknown if a call reports its own", [agent({}), chat("a", "r", 1), silent("b", "r", 20)], null],
  [
    "are unknown if another agent worked",
    [
      agent(counts(60, 9)),
      silent("a", "r", 1),
      asksHelper,
      { ...helper, parentSpanId: asksHelper["spanId"] },
      silent("b", "h", 25),
      silent("c", "r", 60),
    ],
    null,
  ],
])("tokens that only the span around the calls reports: %s", async (_, spans, input) => {
  expect((await run(spans)).usage.input).toBe(input);
});

it("a call without a result counts if only a later call failed and a tool ran between them", async () => {
  const bare = { "gen_ai.operation.name": "chat" };
  const one = await run([
    agent({}),
    span("a", "r", "chat", 1, 9, bare),
    span("t", "r", "execute_tool gauge", 10, 12, toolAttributes("gauge")),
    span("b", "r", "chat", 20, 30, bare, { status: { code: 2, message: "too long" } }),
  ]);
  expect([one.status, one.llmCalls]).toEqual(["error", 1]);
});
