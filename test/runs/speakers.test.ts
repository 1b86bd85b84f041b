import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Whose words, tools and calls are the agent's: not those of guardrails, evaluators, harnesses and hooks. */

type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;
const json = JSON.stringify;

async function runs(
  spans: readonly Span[],
  ...logs: readonly Record<string, unknown>[]
): Promise<AgentRun[]> {
  return await replayed(document(spans), ...logs);
}

async function only(spans: readonly Span[], ...logs: readonly Record<string, unknown>[]): Promise<AgentRun> {
  const [one, ...others] = await runs(spans, ...logs);
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

const says = (content: string) =>
  json([{ role: "assistant", parts: [{ type: "text", content }], finish_reason: "stop" }]);
const user = (content: string) => json([{ role: "user", parts: [{ type: "text", content }] }]);

function agent(
  id: string,
  name: string,
  start: number,
  end: number,
  parent?: string,
  more: Attributes = {},
): Span {
  return span(id, parent, `invoke_agent ${name}`, start, end, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": name,
    ...more,
  });
}

function chat(id: string, parent: string, start: number, output: string | null, more: Attributes = {}): Span {
  return span(id, parent, "chat gpt-4o-mini", start, start + 5, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o-mini",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.input.messages": user("How high is the river?"),
    ...(output === null ? {} : { "gen_ai.output.messages": output }),
    ...more,
  });
}

function tool(id: string, parent: string, name: string, start: number, more: Attributes = {}): Span {
  return span(id, parent, `execute_tool ${name}`, start, start + 3, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": "k",
    ...more,
  });
}

describe("tools that the provider runs", () => {
  const parts = {
    "with the result beside the request": [
      { type: "server_tool_call", id: "s", name: "web_search", server_tool_call: { query: "river" } },
      { type: "server_tool_call_response", id: "s", server_tool_call_response: { results: ["x"] } },
      { type: "text", content: "Two metres." },
    ],
    "without a result": [
      { type: "web_search_call", id: "s", status: "completed" },
      { type: "text", content: "Two metres." },
    ],
  };

  it.each(Object.entries(parts))("leave the answer an answer, %s", async (_, list) => {
    const output = json([{ role: "assistant", parts: list, finish_reason: "stop" }]);
    const run = await only([agent("r", "gauger", 0, 90), chat("c", "r", 10, output)]);
    expect(run.answer).toBe("Two metres.");
    expect(run.complete).toBe(true);
    expect(run.tools).toMatchObject([{ name: expect.stringContaining("web_search") as string, error: null }]);
  });
});

describe("a harness's own calls", () => {
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
          {
            role: "system",
            parts: [{ type: "text", content: "You are a title generator. Output a title." }],
          },
          { role: "user", parts: [{ type: "text", content: "How high is the river?" }] },
        ]),
      }),
    ],
  };

  it.each(Object.entries(titles))("neither answer nor count, %s", async (_, spans) => {
    const run = await only([agent("r", "gauger", 0, 90), ...spans, ...work]);
    expect(run).toMatchObject({ answer: "Two metres.", llmCalls: 1 });
    expect(run.usage.input).toBe(10);
  });
});

describe("calls", () => {
  it("within a call's span that ask for tools are calls of their own, with unknown usage", async () => {
    const outer = chat("o", "r", 0, says("Two metres."));
    const run = await only([
      agent("r", "gauger", 0, 90),
      { ...outer, endTimeUnixNano: chat("x", "r", 75, null)["endTimeUnixNano"] },
      tool("t", "o", "gauge", 10, { "gen_ai.tool.call.result": "2 m" }),
      chat("i", "o", 20, says("Two metres.")),
    ]);
    expect(run).toMatchObject({ llmCalls: 2, answer: "Two metres." });
    expect(run.usage.input).toBeNull();
  });
});
