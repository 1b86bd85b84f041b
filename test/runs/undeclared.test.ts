import { describe, expect, it } from "vitest";
import { chatAttributes, tokenCounts, toolAttributes } from "../support/genai.ts";
import { document, event, log, logDocument, span } from "../support/otlp.ts";
import { replayed, replayedOne as run } from "../support/replayed.ts";

/** Producers of whom nobody wrote down a name: what they write is found by its looks. */

const call = chatAttributes("gpt-x");
const agent = { "gen_ai.operation.name": "invoke_agent" };
const tool = toolAttributes("gauge");

describe("what stands beside the conventions' own names", () => {
  it("question and answer of an agent", async () => {
    const spans = document([
      span("r", undefined, "invoke_agent warden", 0, 50, {
        ...agent,
        "acme.user_prompt": "How high is the river?",
        "acme.final_answer": "Two metres.",
      }),
      span("a", "r", "chat gpt-x", 1, 10, { ...call, "gen_ai.usage.input_tokens": 5 }),
    ]);
    expect(await run(spans)).toMatchObject({ query: "How high is the river?", answer: "Two metres." });
  });

  it("parts of a call's tokens", async () => {
    const counts = {
      ...tokenCounts(100, 20),
      "acme.usage.cached_tokens": 60,
      "acme.usage.thinking_tokens": 8,
    };
    const { usage } = await run(
      document([span("a", undefined, "chat gpt-x", 0, 10, { ...call, ...counts })]),
    );
    expect(usage).toMatchObject({ input: 100, cached: 60, output: 20, reasoning: 8 });
  });

  it("kinds that the conventions do not list", async () => {
    const { llmCalls, tools } = await run(
      document([
        span("r", undefined, "work", 0, 50, { "gen_ai.operation.name": "agent_run" }),
        span("a", "r", "ask", 1, 10, {
          "gen_ai.operation.name": "model_request",
          ...tokenCounts(5, 5),
        }),
        span("b", "r", "coordinate", 11, 20, { "gen_ai.operation.name": "tool_coordination" }),
      ]),
    );
    expect({ llmCalls, tools }).toEqual({ llmCalls: 1, tools: [] });
  });
});

describe("what stands in events that nobody declared", () => {
  it.each([
    ["tool.input", "content", "tool.output", "content"],
    ["tool_call", "tool_input", "tool_result", "tool_output"],
    ["started", "arguments", "finished", "result"],
  ])("a tool's %s (%s) and %s (%s)", async (before, given, after, gave) => {
    const events = [
      event(before, { [given]: '{"station":"north"}' }),
      event(after, { [gave]: "2 m", took: 4 }),
    ];
    const { tools } = await run(
      document([span("a", undefined, "execute_tool gauge", 0, 9, tool, { events })]),
    );
    expect(tools).toMatchObject([{ name: "gauge", arguments: { station: "north" }, result: "2 m" }]);
  });

  it("the user's words in a log record", async () => {
    const spans = document([
      span("r", undefined, "invoke_agent warden", 0, 50, agent),
      span("a", "r", "chat gpt-x", 1, 10, { ...call, "gen_ai.usage.input_tokens": 5 }),
    ]);
    const said = logDocument([log("r", "acme.user_prompt", "prompt received", { prompt: "How high?" })]);
    expect(await run(spans, said)).toMatchObject({ query: "How high?" });
  });

  it.each([
    ["acme.user.message", "acme.choice"],
    ["acme.sdk.gen_ai.user_message", "acme.sdk.gen_ai.choice"],
  ])("a message in an event named %s, and the answer in %s", async (asked, answered) => {
    const spans = document([span("a", undefined, "chat gpt-x", 1, 10, call)]);
    const said = logDocument([
      log("a", asked, { content: "How high?" }),
      log("a", answered, { index: 0, finish_reason: "stop", message: { content: "Two metres." } }),
    ]);
    expect(await run(spans, said)).toMatchObject({ query: "How high?", answer: "Two metres." });
  });
});

it("values whose names say nothing make no run of what only has a role", async () => {
  const other = { "job.role": "user", payload: '{"role":"admin","rights":["read"]}', "job.size": 4 };
  expect(await replayed(document([span("a", undefined, "import", 0, 9, other)]))).toEqual([]);
});

describe("names of spans", () => {
  it("a place in the source is no tool's name", async () => {
    const { tools } = await run(
      document([
        span("a", undefined, "gauge", 0, 9, {
          "acme.span.kind": "tool",
          "acme.code.function.name": "Station.<locals>.go",
          "acme.tool.input": '{"station":"north"}',
        }),
      ]),
    );
    expect(tools).toMatchObject([{ name: "gauge", arguments: { station: "north" } }]);
  });

  it("an operation is no tool's name", async () => {
    const spans = [span("a", undefined, "acme.toolCall", 0, 9, { "openinference.span.kind": "TOOL" })];
    expect((await run(document(spans))).tools).toMatchObject([{ name: null }]);
  });
});
