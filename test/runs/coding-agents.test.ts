import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span, type Span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Kinds that recordings of coding agents showed. */

const json = JSON.stringify;
const text = (content: string) => ({ type: "text", content });
const says = (...parts: unknown[]) => [{ role: "assistant", parts }];
const asks = (name: string, args: unknown) => ({
  type: "tool_call",
  id: `id-${name}`,
  name,
  arguments: args,
});

const agent = (more: Record<string, unknown> = {}): Span =>
  span("r", undefined, "invoke_agent keeper", 0, 99, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "keeper",
    ...more,
  });
const call = (id: string, at: number, output: unknown, more: Record<string, unknown> = {}): Span =>
  span(id, "r", "chat small", at, at + 5, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.output.messages": json(output),
    ...more,
  });
const tool = (name: string, at: number, more: Record<string, unknown> = {}): Span =>
  span(`t${name}`, "r", `execute_tool ${name}`, at, at + 5, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": `id-${name}`,
    ...more,
  });

async function runOf(...spans: Span[]): Promise<AgentRun> {
  const [run] = await replayed(document(spans));
  if (run === undefined) throw new Error("no run");
  return run;
}

describe("the words beside a tool request", () => {
  const words = "I look at the lamps.";
  it("are no answer after the tool ran, although the agent's span repeats them", async () => {
    const output = says(text(words), asks("lamps", { lamp: "east" }));
    const { answer } = await runOf(
      agent({ "gen_ai.output.messages": json(says(text(words))) }),
      call("a", 1, output),
      tool("lamps", 10),
    );
    expect(answer).toBeNull();
  });
});

describe("a part that is recorded twice", () => {
  it.each([
    ["a sentence counts once", ["Two lamps are lit.", "Two lamps are lit."], "Two lamps are lit."],
    ["equal pieces of a streamed answer count twice", ["1", "1"], "1\n1"],
    ["different sentences stay", ["East is lit.", "West is dark."], "East is lit.\nWest is dark."],
  ])("%s", async (_, parts, answer) => {
    const run = await runOf(agent(), call("a", 1, says(...parts.map(text))));
    expect(run.answer).toBe(answer);
  });
});

describe("a call's span that was begun anew", () => {
  const bare = (from: number, to: number): Span =>
    span("b", "r", "chat small", from, to, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.input.messages": json([{ role: "user", parts: [text("Is it lit?")] }]),
    });
  it("is one call with the span that follows at once", async () => {
    const { llmCalls } = await runOf(agent(), bare(1, 10), call("a", 10, says(text("Yes, it is lit."))));
    expect(llmCalls).toBe(1);
  });
  it("is a call of its own if time passes", async () => {
    const { llmCalls } = await runOf(agent(), bare(1, 10), call("a", 30, says(text("Yes, it is lit."))));
    expect(llmCalls).not.toBe(1);
  });
});

describe("the target of a hand-off", () => {
  it.each([
    ["subagent_type", { subagent_type: "scout", prompt: "Count." }],
    ["agent", { agent: "scout", task: "Count." }],
  ])("is in the argument %s", async (_, args) => {
    const run = await runOf(
      agent(),
      call("a", 1, says(asks("task", args))),
      tool("task", 10, { "gen_ai.tool.call.arguments": json(args) }),
      call("c", 20, says(text("It counted three."))),
    );
    expect(run.handoffs.map(({ to }) => to)).toEqual(["scout"]);
    expect(run.tools).toEqual([]);
  });
});

it.each([
  ["denied", false],
  ["execution_denied", false],
  ["permission_denied", true],
])("a tool that failed with %s ran: %s", async (type, ran) => {
  const spans = [
    span("r", undefined, "invoke_agent coder", 0, 90, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "coder",
    }),
    span(
      "t",
      "r",
      "execute_tool shell",
      10,
      20,
      { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "shell", "error.type": type },
      { status: { code: 2, message: "no permission" } },
    ),
  ];
  const [run] = await replayed(document(spans));
  expect(run?.tools).toMatchObject([{ name: "shell", error: "no permission", executed: ran }]);
});
