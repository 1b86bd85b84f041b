import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { agentSpan, tokenCounts } from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** Inputs that resemble those of a rule, to which the rule does not apply. */

const run = (spans: readonly Span[], layer: readonly Span[] = []): Promise<AgentRun> =>
  replayedOne(
    document(spans, { scope: "test" }),
    ...(layer.length === 0 ? [] : [document(layer, { scope: "mcp.client" })]),
  );
const chat = (id: string, parent: string, at: number, more: Attributes = {}): Span =>
  span(id, parent, "chat small", at, at + 5, {
    "gen_ai.operation.name": "chat",
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.request.model": "small",
    ...tokenCounts(10, 2),
    ...more,
  });
const desk = agentSpan("r", undefined, "Desk", 0, 90);
const tool = (
  id: string,
  parent: string,
  name: string,
  start: number,
  end: number,
  more: Attributes = {},
): Span =>
  span(id, parent, `execute_tool ${name}`, start, end, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    ...more,
  });
const content = { "gen_ai.tool.call.arguments": '{"a":1}', "gen_ai.tool.call.result": "5" };

describe("a name that also means a start-up", () => {
  it.each([
    ["running tool bootstrap", { "gen_ai.tool.name": "bootstrap" }],
    ["preload", { "gen_ai.tool.name": "preload", "gen_ai.tool.call.result": "ok" }],
  ])("is a tool's: %s", async (name, more) => {
    const { tools } = await run([
      desk,
      chat("a", "r", 1),
      span("t", "r", name, 10, 20, more),
      chat("b", "r", 30),
    ]);
    expect(tools.map((one) => one.name)).toEqual([more["gen_ai.tool.name"]]);
  });

  it("is a model call's", async () => {
    const more = { "gen_ai.request.model": "small", "gen_ai.response.id": "x", ...tokenCounts(10, 2) };
    expect((await run([desk, span("c", "r", "model warmup", 2, 30, more)])).llm).toHaveLength(1);
  });
});

it.each(["agent", "step"])("a step named %s without a call shows a lost call", async (name) => {
  const kind = { "openinference.span.kind": "CHAIN" };
  const steps = [span("s", "r", name, 1, 10, kind), chat("a", "s", 2), span("t", "r", name, 20, 30, kind)];
  expect((await run([desk, ...steps])).llmCalls).toBeNull();
});

describe("a layer of another instrumentation", () => {
  it("around a tool's span has the outcome that the caller got", async () => {
    const failed = { ...tool("o", "r", "look", 11, 30), status: { code: 2, message: "timeout" } };
    const { tools } = await run([desk, chat("a", "r", 1), tool("t", "r", "look", 12, 20, content)], [failed]);
    expect(tools.map(({ error }) => error)).toEqual(["timeout"]);
  });
});

it.each(["LangGraph", "AgentExecutor", "Runner", "default"])(
  "a described framework default is no name: %s",
  async (name) => {
    const described = {
      "gen_ai.agent.name": name,
      "gen_ai.agent.description": "An agent that can use tools.",
    };
    const root = span("r", undefined, "invoke_agent", 0, 90, {
      "gen_ai.operation.name": "invoke_agent",
      ...described,
    });
    expect((await run([root, agentSpan("s", "r", "Desk", 1, 80), chat("a", "s", 2)])).agent).toBe("Desk");
  },
);

it.each(["api.stream", "chat.agent"])(
  "an operation in an agent-name attribute is no name: %s",
  async (name) => {
    const root = span("r", undefined, "Desk", 0, 90, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": name,
    });
    expect((await run([root, chat("a", "r", 2)])).agent).toBe("Desk");
  },
);

it.each([
  { name: "go", type: "fast", arguments: ["-l"] },
  { name: "go", id: "7", type: "order", arguments: { a: 1 } },
])("an object with other keys of its own is no tool call around the arguments: %j", async (sent) => {
  const more = { "gen_ai.tool.call.arguments": JSON.stringify(sent), "gen_ai.tool.call.result": "5" };
  const { tools } = await run([
    desk,
    chat("a", "r", 1),
    tool("t", "r", "go", 10, 20, more),
    chat("b", "r", 30),
  ]);
  expect(tools[0]?.arguments).toEqual(sent);
});

it.each([
  "Grade this.\n\nThis is the expected criteria of grading: grammar.",
  `${" ".repeat(100_000)}Grade this.`,
])("a question keeps its text", async (text) => {
  const messages = JSON.stringify([{ role: "user", parts: [{ type: "text", content: text }] }]);
  const one = await run([desk, chat("a", "r", 1, { "gen_ai.input.messages": messages })]);
  expect(one.query?.trim()).toBe(text.trim());
});
