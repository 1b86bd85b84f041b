import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import { agentAttributes, chatAttributes, tokenCounts } from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** Usage as producers report it: twice, as running sums, or with tokens that only the total has. */

const run = (scope: string, spans: readonly Span[]): Promise<AgentRun> =>
  replayedOne(document(spans, { scope }));

function noteOn(fact: string, one: AgentRun): string | null | undefined {
  return (isExplained(one) ? one.explain() : []).find((each) => each.fact === fact)?.note;
}

const tokens = (input: number, output: number): Attributes => tokenCounts(input, output);

describe("AG2: usage is recorded beside the calls", () => {
  const scope = "opentelemetry.instrumentation.ag2";
  const agent = span("r", undefined, "invoke_agent gauger", 0, 90, {
    "ag2.span.type": "agent",
    ...agentAttributes("gauger"),
  });
  const chat = (id: string, at: number, counts: Attributes): Span =>
    span(id, "r", "chat small", at, at + 5, {
      "ag2.span.type": "llm",
      ...chatAttributes("small"),
      "gen_ai.response.model": "small-1",
      "gen_ai.response.finish_reasons": ["stop"],
      ...counts,
    });
  const record = (id: string, at: number, kind: string, counts: Attributes): Span =>
    span(id, "r", `record_usage ${kind}`, at, at, {
      "ag2.span.type": "usage",
      "ag2.usage.kind": kind,
      "gen_ai.response.model": "small-1",
      "gen_ai.provider.name": "openai",
      ...counts,
    });
  const [first, second] = [tokens(61, 12), tokens(92, 9)];
  const calls = [chat("a", 1, first), chat("b", 20, second)];
  const records = [record("x", 7, "model_call", first), record("y", 26, "model_call", second)];

  it("a record within a call is that call's, though another call began since", async () => {
    const within = (id: string, at: number, until: number): Span => ({
      ...chat(id, at, {}),
      endTimeUnixNano: span(id, "r", "", at, until).endTimeUnixNano,
    });
    const spans = [within("a", 1, 60), within("b", 5, 50)];
    const nested = [
      { ...record("x", 40, "model_call", second), parentSpanId: spans[1]?.spanId },
      { ...record("y", 55, "model_call", first), parentSpanId: spans[0]?.spanId },
    ];
    const { llm, usage } = await run(scope, [agent, ...spans, ...nested]);
    expect(llm.map((call) => call.usage.input)).toEqual([61, 92]);
    expect(usage).toMatchObject({ input: 153, output: 21 });
  });

  it("what no call shows is said to be missing", async () => {
    const subtask = record("z", 40, "subtask", tokens(500, 70));
    const { llmCalls, usage, missing } = await run(scope, [agent, ...calls, ...records, subtask]);
    expect(llmCalls).toBe(2);
    expect(usage).toMatchObject({ input: 153, output: 21 });
    expect(missing).toContainEqual({
      what: "usage_records",
      why: "1 record of token usage without a matching model call, so the tokens are not counted",
    });
  });

  it("the explanation says why a record is no call", async () => {
    const one = await run(scope, [agent, ...calls, ...records]);
    const facts = isExplained(one) ? one.explain() : [];
    const passedOver = facts.find(({ fact }) => fact === "input_tokens")?.passedOver ?? [];
    expect(
      passedOver.map(({ span: name, why }) => [name, why.includes("so it is not a model call")]),
    ).toEqual([
      ["record_usage model_call", true],
      ["record_usage model_call", true],
    ]);
  });
});

const said = (parts: readonly object[]): Attributes => ({
  ...chatAttributes("small"),
  "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts, finish_reason: "stop" }]),
  ...tokens(62, 0),
});

it.each([
  ["words", [{ type: "text", content: "It is at 3.1 metres." }]],
  ["a request", [{ type: "tool_call", id: "c1", name: "gauge", arguments: { at: "weir" } }]],
])(
  "a call that reports no output token has unknown usage if it returned %s, because a model needs tokens for it",
  async (_, parts) => {
    const { usage, totalTokens } = await run("test", [span("a", undefined, "chat", 0, 9, said(parts))]);
    expect([usage.input, usage.output, totalTokens]).toEqual([null, null, null]);
  },
);

it("a span with usage alone is a call where nothing else is", async () => {
  const one = span("a", undefined, "ask", 0, 9, { "gen_ai.request.model": "small", ...tokens(5, 3) });
  expect(await run("test", [one])).toMatchObject({ llmCalls: 1, usage: { input: 5, output: 3 } });
});

describe("a total above input and output", () => {
  const vertex = (counts: Attributes): Span =>
    span("a", undefined, "GenerativeModel.generate_content", 0, 9, {
      "openinference.span.kind": "LLM",
      "llm.provider": "google",
      "llm.model_name": "gemini-2.5-flash",
      "input.value": "How high is the river?",
      "output.value": "Two metres.",
      ...counts,
    });

  it("is believed: thoughts are in no other count", async () => {
    const one = await run("openinference.instrumentation.vertexai", [
      vertex({
        "llm.token_count.prompt": 800,
        "llm.token_count.completion": 50,
        "llm.token_count.total": 2023,
      }),
    ]);
    expect(one.usage).toMatchObject({ input: 800, output: 1223, reasoning: null });
    expect(one.totalTokens).toBe(2023);
    expect(noteOn("output_tokens", one)).toContain("the reported total is larger than input plus output");
  });

  it.each([
    ["reasoning tokens explain it", { "llm.token_count.completion_details.reasoning": 30 }, 132, [100, 32]],
    ["it counts the output twice", {}, 104, [100, 2]],
  ] as const)("is no more than that where %s", async (_, more, total, [input, beyond]) => {
    const counts = {
      "llm.token_count.prompt": 100,
      "llm.token_count.completion": 2,
      "llm.token_count.total": total,
    };
    const { usage } = await run("openinference.instrumentation.vertexai", [vertex({ ...counts, ...more })]);
    expect(usage).toMatchObject({ input, output: beyond });
  });
});

it("counts beside a finish reason on what only looks like an agent's span are one call's", async () => {
  const acme = { "acme.model": "small", "acme.usage.input_tokens": 604, "acme.usage.output_tokens": 26 };
  const ran = async (more: Attributes) => {
    const { usage } = await run("test", [
      span("r", undefined, "invoke_agent gauger", 0, 9, { "acme.agent.name": "gauger", ...acme, ...more }),
      span("t", "r", "execute_tool gauge", 2, 3, { "acme.tool.name": "gauge", "acme.tool.call.id": "c" }),
    ]);
    return usage.input;
  };
  expect(await ran({})).toBe(604);
  expect(await ran({ "acme.response.finish_reason": "stop" })).toBeNull();
});

describe("calls report no usage, but spans around them do", () => {
  const around = (
    id: string,
    parent: string | undefined,
    at: number,
    end: number,
    counts: Attributes,
  ): Span => span(id, parent, "work", at, end, { "openinference.span.kind": "CHAIN", ...counts });
  const chat = (id: string, parent: string, at: number): Span =>
    span(id, parent, "chat small", at, at + 5, {
      ...chatAttributes("small"),
      "gen_ai.response.finish_reasons": ["stop"],
    });
  const steps = [
    around("s", "w", 1, 20, tokens(30, 4)),
    chat("a", "s", 2),
    around("t", "w", 21, 40, tokens(50, 6)),
    chat("b", "t", 22),
  ];

  it("are unknown if the count is a zero, because a model was called", async () => {
    const one = await run("test", [around("w", undefined, 0, 50, tokens(0, 0)), ...steps]);
    expect(one.usage).toMatchObject({ input: null, output: null });
  });
});
