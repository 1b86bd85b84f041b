import { describe, expect, it } from "vitest";
import {
  agentSpan,
  chatSpan,
  inputMessages,
  tokenCounts,
  toolAttributes,
  toolSpan,
  words,
} from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** Whose words, tools and calls are the agent's: not those of guardrails, evaluators, harnesses and hooks. */

const json = JSON.stringify;

const only = (spans: readonly Span[], ...logs: readonly object[]) => replayedOne(document(spans), ...logs);

const says = (content: string) =>
  json([{ role: "assistant", parts: [{ type: "text", content }], finish_reason: "stop" }]);
const agent = (id: string, name: string, start: number, end: number, parent?: string): Span =>
  agentSpan(id, parent, name, start, end);
const chat = (
  id: string,
  parent: string,
  start: number,
  output: string | null,
  more: Attributes = {},
): Span =>
  chatSpan(id, parent, start, {
    ...tokenCounts(10, 2),
    ...inputMessages(words("user", "How high is the river?")),
    ...(output === null ? {} : { "gen_ai.output.messages": output }),
    ...more,
  });
const tool = (id: string, parent: string, name: string, start: number, more: Attributes = {}): Span =>
  toolSpan(id, parent, name, start, { ...toolAttributes(name, "k"), ...more });

describe.each([
  ["guardrail", { "openinference.span.kind": "GUARDRAIL" }],
  ["evaluator", { "openinference.span.kind": "EVALUATOR" }],
])("a %s that asks a model after the answer", (kind, attributes) => {
  const watched = [
    agent("r", "gauger", 0, 90),
    chat("c", "r", 10, says("Two metres.")),
    span("w", "r", "tone", 30, 60, attributes),
    agent("i", "Tone check", 31, 59, "w"),
    chat("d", "i", 40, says("polite")),
  ];

  it(`neither answers nor takes over as ${kind}`, async () => {
    const run = await only(watched);
    expect(run).toMatchObject({ answer: "Two metres.", finalAgent: "gauger", handoffs: [], llmCalls: 2 });
  });
});

it("a tool that the provider runs leaves the answer an answer, without a result", async () => {
  const parts = [
    { type: "web_search_call", id: "s", status: "completed" },
    { type: "text", content: "Two metres." },
  ];
  const output = json([{ role: "assistant", parts, finish_reason: "stop" }]);
  const run = await only([agent("r", "gauger", 0, 90), chat("c", "r", 10, output)]);
  expect(run).toMatchObject({ answer: "Two metres.", complete: true, tools: [{ error: null }] });
});

it.each(['{"note":"hello","order":12', '{"note":"hel', '{"note":"hello","order":12...'])(
  "does not show arguments that were cut off: %s",
  async (text) => {
    const run = await only([
      agent("r", "clerk", 0, 50),
      chat("c", "r", 5, null),
      tool("t", "r", "refund", 12, { "gen_ai.tool.call.arguments": text, "gen_ai.tool.call.result": "done" }),
      chat("d", "r", 30, says("Refunded.")),
    ]);
    expect(run.tools[0]?.arguments).toBeUndefined();
    expect(run.missing.map(({ what }) => what)).toContain("tool_arguments");
  },
);

const work = [chat("c", "r", 10, says("Two metres."))];
const titles: Readonly<Record<string, Span[]>> = {
  "told by who asked": [chat("x", "r", 2, says("River"), { query_source: "generate_session_title" })],
  "told by the step around them": [
    span("s", "r", "Session.ensureTitle", 1, 9),
    chat("x", "s", 2, says("River")),
  ],
  "told by their instructions": [
    chat("x", "r", 20, says("River"), {
      "gen_ai.system_instructions": json([{ type: "text", content: "You are a title generator." }]),
      "gen_ai.input.messages": json([
        words("system", "You are a title generator. Output a title."),
        words("user", "How high is the river?"),
      ]),
    }),
  ],
};

it.each(Object.entries(titles))("a harness's own calls neither answer nor count, %s", async (_, spans) => {
  const run = await only([agent("r", "gauger", 0, 90), ...spans, ...work]);
  expect(run).toMatchObject({ answer: "Two metres.", llmCalls: 1 });
  expect(run.usage.input).toBe(10);
});
