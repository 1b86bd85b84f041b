import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** What tools were given and returned, where only messages on other spans have it. */

const json = JSON.stringify;
type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

async function run(spans: readonly Span[], scope = "test"): Promise<AgentRun> {
  const [one, ...others] = await replayed(document(spans, { scope }));
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

const user = { role: "user", parts: [{ type: "text", content: "How high is the river?" }] };
const asks = (id: string, station: string) => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name: "gauge", arguments: { station } }],
});
const returns = (id: string, response: string, more: object = {}) => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response, ...more }],
});
const said = { role: "assistant", parts: [{ type: "text", content: "Two metres." }] };

const tool = (id: string, at: number, callId: string, more: Attributes = {}): Span =>
  span(id, "r", "execute_tool gauge", at, at + 2, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "gauge",
    "gen_ai.tool.call.id": callId,
    ...more,
  });
const agent = (more: Attributes): Span =>
  span("r", undefined, "invoke_agent gauger", 0, 90, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "gauger",
    ...more,
  });
const messages = [
  user,
  asks("c1", "north"),
  returns("c1", "1 m"),
  asks("c2", "south"),
  returns("c2", "2 m"),
  said,
];
const tools = [
  { name: "gauge", arguments: { station: "north" }, result: "1 m", callId: "c1" },
  { name: "gauge", arguments: { station: "south" }, result: "2 m", callId: "c2" },
];

describe("the Claude Agent SDK under the conventions' instrumentation: contents are on the agent's span", () => {
  const whole = agent({
    "gen_ai.request.model": "claude-sonnet-4-5",
    "gen_ai.response.model": "claude-sonnet-4-5-20250929",
    "gen_ai.usage.input_tokens": 300,
    "gen_ai.usage.output_tokens": 40,
    "gen_ai.input.messages": json([user]),
    "gen_ai.output.messages": json(messages.slice(1)),
  });

  it("tools have the arguments and results of their ids", async () => {
    const one = await run([whole, tool("a", 10, "c1"), tool("b", 20, "c2")]);
    expect(one.tools).toMatchObject(tools);
    expect(one).toMatchObject({
      query: "How high is the river?",
      answer: "Two metres.",
      models: ["claude-sonnet-4-5"],
      responseModels: ["claude-sonnet-4-5-20250929"],
      usage: { input: 300, output: 40 },
    });
  });

  it("a tool's own attributes come first", async () => {
    const own = { "gen_ai.tool.call.arguments": json({ station: "west" }), "gen_ai.tool.call.result": "3 m" };
    const one = await run([whole, tool("a", 10, "c1", own)]);
    expect(one.tools).toMatchObject([{ arguments: { station: "west" }, result: "3 m" }]);
  });

  it("a result that is marked as an error is one", async () => {
    const failed = agent({
      "gen_ai.output.messages": json([
        asks("c1", "north"),
        returns("c1", "no such station", { is_error: true }),
        said,
      ]),
    });
    expect((await run([failed, tool("a", 10, "c1")])).tools).toMatchObject([{ error: "no such station" }]);
  });

  it("ids that no message has stay without contents", async () => {
    const [one] = (await run([whole, tool("a", 10, "c9")])).tools;
    expect({ arguments: one?.arguments, result: one?.result }).toEqual({
      arguments: undefined,
      result: undefined,
    });
  });
});

it.each([
  ["the agent's messages", (list: object[]) => agent({ "gen_ai.input.messages": json(list) })],
  ["a history", (list: object[]) => agent({ "pydantic_ai.all_messages": json(list) })],
])("messages of a span above are joined by id: %s", async (_, around) => {
  const step = span("s", "r", "turn", 5, 80, { "gen_ai.operation.name": "agent_step" });
  const inner = { ...tool("a", 10, "c1"), parentSpanId: step["spanId"] };
  expect((await run([around(messages), step, inner])).tools[0]).toMatchObject(tools[0] ?? {});
});

describe("older versions of Langfuse's SDK: a tool is a span, its result a message with the tool's name as role", () => {
  const generation = (id: string, at: number, input: object[], output: object): Span =>
    span(id, "r", "OpenAI-generation", at, at + 5, {
      "langfuse.observation.type": "generation",
      "langfuse.observation.model.name": "small",
      "langfuse.observation.usage_details": json({ input: 10, output: 2 }),
      "langfuse.observation.input": json(input),
      "langfuse.observation.output": json(output),
    });
  const asked = {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "c1", type: "function", function: { name: "gauge", arguments: '{"station":"north"}' } },
    ],
  };
  const question = { role: "user", content: "How high is the river?" };
  const spans = (result: object): Span[] => [
    span("r", undefined, "handle", 0, 90, { "langfuse.observation.type": "span" }),
    generation("a", 1, [question], asked),
    span("g", "r", "gauge", 10, 12, { "langfuse.observation.type": "span" }),
    generation("b", 20, [question, asked, result], { role: "assistant", content: "One metre." }),
  ];

  it("a message with the name of a tool holds the tool's result, and no user's message", async () => {
    const one = await run(spans({ role: "gauge", content: "1 m" }), "langfuse-sdk");
    expect(one.tools).toMatchObject([
      { name: "gauge", arguments: { station: "north" }, result: "1 m", executed: true },
    ]);
    expect(one).toMatchObject({ query: "How high is the river?", answer: "One metre.", llmCalls: 2 });
  });

  it("a speaker whose name is no tool's is a user", async () => {
    const one = await run(spans({ role: "visitor", content: "Hurry!" }), "langfuse-sdk");
    expect(one.tools).toMatchObject([{ name: "gauge", executed: false }]);
    expect(one.messages.filter(({ role }) => role === "user")).toHaveLength(2);
  });
});
