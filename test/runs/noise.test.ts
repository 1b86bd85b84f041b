import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, log, logDocument, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Further habits that test/runs/habits.md numbers: runs over several traces, spans that repeat others, values that are none. */

type Attributes = NonNullable<Parameters<typeof span>[5]>;
const json = JSON.stringify;
const question = { role: "user", parts: [{ type: "text", content: "How high is the river?" }] };
const done = { role: "assistant", parts: [{ type: "text", content: "3.1 metres." }] };
const asks = {
  role: "assistant",
  parts: [{ type: "tool_call", id: "c1", name: "gauge", arguments: { station: "north" } }],
};
const returned = { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "3.1" }] };

function chat(id: string, parent: string, at: number, sent: readonly object[], got: object, trace = "t") {
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.input.messages": json(sent),
    "gen_ai.output.messages": json([got]),
  };
  return span(id, parent, "chat small", at, at + 8, attributes, { trace });
}

const agent = (id: string, name: string, at: number, end: number, more: Attributes = {}, trace = "t") =>
  span(
    id,
    undefined,
    `invoke_agent ${name}`,
    at,
    end,
    { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name, ...more },
    { trace },
  );

const gauge = (id: string, parent: string, at: number, more: Attributes = {}, trace = "t") =>
  span(
    id,
    parent,
    "execute_tool gauge",
    at,
    at + 5,
    {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "gauge",
      "gen_ai.tool.call.arguments": '{"station":"north"}',
      ...more,
    },
    { trace },
  );

async function run(...spans: Parameters<typeof document>[0]): Promise<AgentRun> {
  const runs = await replayed(document(spans));
  const [one] = runs;
  if (one === undefined || runs.length > 1) throw new Error(`${runs.length} runs`);
  return one;
}

describe("runs over several traces", () => {
  it("P3: a tool that waited for a person is one call, its run one run", async () => {
    const result = { "gen_ai.tool.call.result": "3.1" };
    const { tools, answer } = await run(
      agent("r", "warden", 0, 30),
      chat("a", "r", 1, [question], asks),
      gauge("b", "r", 10),
      agent("s", "warden", 100, 150, {}, "u"),
      gauge("c", "s", 101, result, "u"),
      chat("d", "s", 110, [question, asks, returned], done, "u"),
    );
    expect(tools).toMatchObject([{ name: "gauge", result: "3.1" }]);
    expect(answer).toBe("3.1 metres.");
  });

  it("Q2, Q3: messages between actors, and an agent that only listened, are no runs", async () => {
    const actor = (id: string, name: string) =>
      span(id, undefined, name, 0, 5, { "messaging.operation": "send" }, { trace: id });
    const runs = await replayed(
      document([actor("m", "agent_runtime send"), actor("n", "agent_runtime process")], {
        scope: "semantic_kernel.agents",
      }),
      document([span("x", undefined, "executor.process listener", 0, 5, { "executor.id": "listener" })], {
        scope: "agent_framework",
      }),
    );
    expect(runs).toEqual([]);
  });
});

describe("spans that repeat others", () => {
  it("P6: an agent's empty span beside the one of its work is no second agent's run", async () => {
    const child = (id: string, name: string, at: number, end: number, operation: string) =>
      span(id, "r", `${operation} ${name}`, at, end, {
        "gen_ai.operation.name": operation,
        "gen_ai.agent.name": name,
      });
    const { agent: who, llmCalls } = await run(
      span("r", undefined, "invoke_workflow desk", 0, 60, { "gen_ai.operation.name": "invoke_workflow" }),
      child("e", "warden", 1, 40, "invoke_agent"),
      child("w", "warden", 1, 40, "execute_task"),
      chat("a", "w", 2, [question], done),
    );
    expect({ who, llmCalls }).toEqual({ who: "warden", llmCalls: 1 });
  });

  it("P21: parallel calls written as completions of their own are calls of one answer", async () => {
    const completion = (index: number, station: string): Attributes => ({
      [`gen_ai.completion.${index}.role`]: "assistant",
      [`gen_ai.completion.${index}.tool_calls.0.id`]: `c${index}`,
      [`gen_ai.completion.${index}.tool_calls.0.name`]: "gauge",
      [`gen_ai.completion.${index}.tool_calls.0.arguments`]: json({ station }),
    });
    const { tools, llmCalls } = await run(
      span("a", undefined, "openai.chat", 0, 9, {
        "llm.request.type": "chat",
        "gen_ai.request.model": "small",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "How high is the river?",
        ...completion(0, "north"),
        ...completion(1, "south"),
      }),
    );
    expect(tools.map(({ arguments: args }) => args)).toEqual([{ station: "north" }, { station: "south" }]);
    expect(llmCalls).toBe(1);
  });

  it("Q22: what runs inside a delegating tool is the delegate's", async () => {
    const delegated = {
      "gen_ai.tool.name": "delegate_work_to_coworker",
      "gen_ai.tool.call.arguments": '{"coworker":"warden","task":"read the gauge"}',
    };
    const { handoffs, llm } = await run(agent("r", "porter", 0, 90), gauge("d", "r", 10, delegated), {
      ...chat("a", "d", 11, [question], done),
    });
    expect(handoffs).toMatchObject([{ from: "porter", to: "warden" }]);
    expect(llm).toMatchObject([{ agent: "warden" }]);
  });
});

describe("log records that point at no span", () => {
  it("Q25: one without any trace belongs to the span of its own scope during which it was written", async () => {
    const said = { index: 0, message: { role: "assistant", content: "3.1 metres." } };
    const record = { ...log("a", "gen_ai.choice", said, {}, 5), traceId: "", spanId: "" };
    const spans = [
      agent("r", "warden", 0, 30),
      span("a", "r", "chat small", 1, 9, {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "small",
      }),
    ];
    const runs = await replayed(document(spans, { resource: {} }), logDocument([record]));
    expect(runs.map(({ answer }) => answer)).toEqual(["3.1 metres."]);
  });
});

describe("values that are none", () => {
  it("P29: a call without output, usage and model is counted, its tokens are unknown", async () => {
    const { usage, models, answer } = await run(
      agent("r", "warden", 0, 30),
      span("a", "r", "openai.chat", 1, 9, {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json([question]),
      }),
    );
    expect({ input: usage.input, models, answer }).toEqual({ input: null, models: [], answer: null });
  });

  it("P38: settings, the process's environment and schemas are neither words nor tools", async () => {
    const noise: Attributes = {
      "langsmith.metadata.LANGSMITH_PROJECT": "prompt playground",
      "logfire.json_schema": '{"type":"object","properties":{"tool":{"type":"string"}}}',
      "code.filepath": "/app/agent.py",
      model_settings: '{"tool_choice":null,"max_tokens":null}',
      group_id: "null",
    };
    const { query, tools, toolDefinitions } = await run(
      agent("r", "warden", 0, 30, noise),
      chat("a", "r", 1, [question], done),
    );
    expect({ query, tools, toolDefinitions }).toEqual({
      query: "How high is the river?",
      tools: [],
      toolDefinitions: null,
    });
  });
});
