import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Producers that write an absent id as text: as JSON's `null`, Python's `None`, JavaScript's `undefined`, or empty. */

const json = JSON.stringify;
const absent = ["null", "None", "undefined", "", " ", "NULL"];

type Attributes = NonNullable<Parameters<typeof span>[5]>;

async function run(spans: readonly ReturnType<typeof span>[], scope = "test"): Promise<AgentRun> {
  const [one, ...others] = await replayed(document(spans, { scope }));
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

const chat = (id: string, parent: string, at: number, attributes: Attributes = {}) =>
  span(id, parent, "chat small", at, at + 5, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    ...attributes,
  });
const agent = (id: string, attributes: Attributes) =>
  span(id, undefined, "invoke_agent clerk", 0, 90, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "clerk",
    ...attributes,
  });

describe.each(absent)("an id written as %j is absent", (text) => {
  it.each([
    ["the conventions", "test", { "gen_ai.conversation.id": text }],
    [
      "Logfire's integration of the Agents SDK",
      "logfire.openai_agents",
      { "logfire.span_type": "span", group_id: text },
    ],
    ["the conventions, as JSON", "test", { "gen_ai.conversation.id": json(text) }],
    ["OpenInference", "openinference.instrumentation.x", { "session.id": text }],
    ["metadata", "test", { metadata: json({ thread_id: text }) }],
  ])("as a conversation in %s", async (_, scope, attributes) => {
    expect((await run([agent("r", attributes), chat("a", "r", 1)], scope)).conversationId).toBeNull();
  });

  it("as a conversation, where another span has the id", async () => {
    const spans = [
      agent("r", { "gen_ai.conversation.id": text }),
      chat("a", "r", 1, { "gen_ai.conversation.id": "c-7" }),
    ];
    expect((await run(spans)).conversationId).toBe("c-7");
  });

  it("as a tool call: two calls stay two", async () => {
    const tool = (id: string, at: number, station: string) =>
      span(id, "r", "execute_tool gauge", at, at + 2, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "gauge",
        "gen_ai.tool.call.id": text,
        "gen_ai.tool.call.arguments": json({ station }),
        "gen_ai.tool.call.result": `${station}: 2 m`,
      });
    const { tools } = await run([agent("r", {}), tool("b", 10, "north"), tool("c", 20, "south")]);
    expect(tools).toMatchObject([
      { callId: null, arguments: { station: "north" }, result: "north: 2 m" },
      { callId: null, arguments: { station: "south" }, result: "south: 2 m" },
    ]);
  });

  it("as a tool call in messages: each result belongs to its own call", async () => {
    const asks = ["north", "south"].map((station) => ({
      type: "tool_call",
      id: text,
      name: "gauge",
      arguments: { station },
    }));
    const answers = ["1 m", "2 m"].map((response) => ({
      role: "tool",
      parts: [{ type: "tool_call_response", id: text, response }],
    }));
    const question = { role: "user", parts: [{ type: "text", content: "How high is the river?" }] };
    const asked = { role: "assistant", parts: asks };
    const said = { role: "assistant", parts: [{ type: "text", content: "1 and 2 metres." }] };
    const { tools } = await run([
      agent("r", {}),
      chat("a", "r", 1, {
        "gen_ai.input.messages": json([question]),
        "gen_ai.output.messages": json([asked]),
      }),
      chat("b", "r", 30, {
        "gen_ai.input.messages": json([question, asked, ...answers]),
        "gen_ai.output.messages": json([said]),
      }),
    ]);
    expect(tools).toMatchObject([
      { arguments: { station: "north" }, result: "1 m" },
      { arguments: { station: "south" }, result: "2 m" },
    ]);
  });

  it("as a response: calls of two instrumentations stay two", async () => {
    const id = { "gen_ai.response.id": text };
    const first = document([agent("r", {}), chat("a", "r", 1, id)], { scope: "one" });
    const second = document([chat("b", "r", 30, { ...id, "gen_ai.usage.output_tokens": 3 })], {
      scope: "two",
    });
    const [one] = await replayed(first, second);
    expect(one).toMatchObject({ llmCalls: 2, usage: { input: 20, output: 5 } });
    expect(one?.llm.map(({ responseId }) => responseId)).toEqual([null, null]);
  });
});

it("the explanation lists such an id as no id", async () => {
  const one = await run([
    agent("r", { "gen_ai.conversation.id": "null" }),
    chat("a", "r", 1, { "gen_ai.conversation.id": "c-7" }),
  ]);
  const facts = isExplained(one) ? one.explain() : [];
  const fact = facts.find((each) => each.fact === "conversation_id");
  expect(fact?.from).toMatchObject([{ value: "c-7" }]);
  expect(fact?.passedOver).toMatchObject([{ value: "null", why: expect.stringContaining("not an id") }]);
});
