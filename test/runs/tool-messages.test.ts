import { expect, it } from "vitest";
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

it.each([
  ["the agent's messages", (list: object[]) => agent({ "gen_ai.input.messages": json(list) })],
  ["a history", (list: object[]) => agent({ "pydantic_ai.all_messages": json(list) })],
])("messages of a span above are joined by id: %s", async (_, around) => {
  const step = span("s", "r", "turn", 5, 80, { "gen_ai.operation.name": "agent_step" });
  const inner = { ...tool("a", 10, "c1"), parentSpanId: step["spanId"] };
  expect((await run([around(messages), step, inner])).tools[0]).toMatchObject(tools[0] ?? {});
});

const whole = `2 m ${"and rising ".repeat(30)}`.trim();
it.each(["...[truncated]", "…", " <truncated 200 characters>", ""])(
  "a result that ends with %j in its span is whole in the messages",
  async (mark) => {
    const cut = tool("t", 10, "c1", {
      "gen_ai.tool.call.arguments": json({ station: "north" }),
      "gen_ai.tool.call.result": `${whole.slice(0, 50)}${mark}`,
    });
    const later = span("b", "r", "chat small", 50, 60, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.input.messages": json([user, asks("c1", "north"), returns("c1", whole)]),
      "gen_ai.output.messages": json([said]),
    });
    expect((await run([agent({}), cut, later])).tools).toMatchObject([{ result: whole }]);
  },
);
