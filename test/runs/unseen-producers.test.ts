import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** What frameworks write under instrumentations that were not known when the rules for them were made. */

type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

const json = JSON.stringify;

async function run(...spans: readonly Span[]): Promise<AgentRun> {
  const [one] = await replayed(document(spans));
  if (one === undefined) throw new Error("no run");
  return one;
}

const invoke = (id: string, parent: string | undefined, name: string, start: number, end: number): Span =>
  span(id, parent, `invoke_agent ${name}`, start, end, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": name,
  });

const chat = (id: string, parent: string, start: number, attributes: Attributes): Span =>
  span(id, parent, "chat small", start, start + 8, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    ...attributes,
  });

const user = (content: string) => json([{ role: "user", parts: [{ type: "text", content }] }]);
const says = (content: string) => json([{ role: "assistant", parts: [{ type: "text", content }] }]);

describe("contents switched off", () => {
  it("calls that show nothing but what they are count where tools ran", async () => {
    const kind = (value: string, name?: string) => ({
      "openinference.span.kind": value,
      ...(name === undefined ? {} : { "tool.name": name }),
    });
    const { llmCalls, usage } = await run(
      span("r", undefined, "keeper", 0, 90, { ...kind("AGENT"), "agent.name": "keeper" }),
      span("a", "r", "response", 1, 20, kind("LLM")),
      span("t", "r", "gauge", 25, 30, kind("TOOL", "gauge")),
      span("b", "r", "response", 35, 60, kind("LLM")),
    );
    expect(llmCalls).toBe(2);
    expect(usage.input).toBeNull();
  });

  it("a request beside the words of an answer is not lost, its arguments printed by Python", async () => {
    const { tools } = await run(
      invoke("r", undefined, "keeper", 0, 90),
      chat("a", "r", 1, {
        "gen_ai.sdk.version": "1",
        "gen_ai.prompt": "user: How deep is it?",
        "gen_ai.completion": "I look.",
        "gen_ai.tool.name": "gauge",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.args": "{'station': 'north'}",
      }),
    );
    expect(tools).toMatchObject([{ name: "gauge", arguments: { station: "north" }, callId: "c1" }]);
  });

  it("OpenLIT leaves what a model asked for on the call's span, several joined by commas", async () => {
    const asked = {
      "gen_ai.sdk.version": "2",
      "gen_ai.tool.name": "gauge, rain",
      "gen_ai.tool.call.id": "c1, c2",
      "gen_ai.tool.args": `${json({ station: "north" })}, ${json({ days: 2 })}`,
    };
    const tool = (id: string, callId: string, name: string, at: number) =>
      span(id, "r", `execute_tool ${name}`, at, at + 2, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": callId,
      });
    const { tools } = await run(
      invoke("r", undefined, "keeper", 0, 90),
      chat("a", "r", 1, asked),
      tool("t", "c1", "gauge", 20),
      tool("u", "c2", "rain", 24),
      chat("b", "r", 40, { "gen_ai.sdk.version": "2" }),
    );
    expect(tools.map(({ arguments: given }) => given)).toEqual([{ station: "north" }, { days: 2 }]);
  });
});

it("a runner that is called like the service hands over nothing", async () => {
  const spans = [
    invoke("r", undefined, "river-app", 0, 90),
    invoke("i", "r", "keeper", 5, 85),
    chat("a", "i", 10, {
      "gen_ai.input.messages": user("How high?"),
      "gen_ai.output.messages": says("2 m"),
    }),
  ];
  const [found] = await replayed(document(spans, { resource: { "service.name": "river-app" } }));
  expect(found).toMatchObject({ agent: "keeper", finalAgent: "keeper", handoffs: [] });
});

it("a class of a framework with its module is no agent's name", async () => {
  const { agent } = await run(invoke("r", undefined, "dspy.ReAct", 0, 90), chat("a", "r", 10, {}));
  expect(agent).toBe("shop");
});

it("a stream that another scope records when it is over is one call", async () => {
  const counts = { "gen_ai.input.messages": user("How high?"), "gen_ai.output.messages": says("2 m") };
  const first = document([invoke("r", undefined, "keeper", 0, 90), chat("a", "r", 10, {})], { scope: "one" });
  const record = span("b", "r", "chat small", 19, 19.5, {
    "gen_ai.operation.name": "chat",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 1,
    ...counts,
  });
  const [found] = await replayed(first, document([record], { scope: "two" }));
  expect(found).toMatchObject({ llmCalls: 1, query: "How high?", answer: "2 m" });
});

it("a step that runs tools is no step that lost its call, though all steps have one name", async () => {
  const step = (id: string, start: number, end: number) =>
    span(id, "r", "task", start, end, { "traceloop.span.kind": "task" });
  const { llmCalls } = await run(
    invoke("r", undefined, "keeper", 0, 99),
    step("s", 1, 20),
    chat("a", "s", 5, {}),
    step("u", 25, 45),
    span("t", "u", "gauge.tool", 26, 44, { "traceloop.span.kind": "tool", "traceloop.entity.name": "gauge" }),
    step("v", 50, 70),
    chat("b", "v", 55, {}),
  );
  expect(llmCalls).toBe(2);
});

describe("messages", () => {
  const answered = (output: object[] | object, input: string | object[] = "How high?") => {
    const sent = typeof input === "string" ? user(input) : json(input);
    const more = { "gen_ai.input.messages": sent, "gen_ai.output.messages": json(output) };
    return run(invoke("r", undefined, "keeper", 0, 90), chat("a", "r", 10, more));
  };

  it("a whole response that was given a role", async () => {
    const content = [{ type: "output_text", text: "2 m" }];
    const response = { object: "response", role: "assistant", output: [{ type: "message", content }] };
    expect((await answered([response])).answer).toBe("2 m");
  });

  it("smolagents' next task in one message with what the last tool returned is what the user asked", async () => {
    const call = `Calling tools:\n[{'id': 'c1', 'function': {'name': 'gauge', 'arguments': {'station': 'n'}}}]`;
    const history = [
      { role: "MessageRole.USER", parts: [{ type: "text", content: "New task:\nHow high?" }] },
      { role: "MessageRole.ASSISTANT", parts: [{ type: "text", content: call }] },
      {
        role: "MessageRole.USER",
        parts: [{ type: "text", content: "Observation:\n2 m\nNew task:\nAnd tomorrow?" }],
      },
    ];
    const found = await answered([{ role: "assistant", content: "3 m" }], history);
    expect(found.query).toContain("And tomorrow?");
    expect(found.tools).toEqual([]);
  });

  it("LangChain's messages without types: the question is no answer", async () => {
    const messages = [
      { content: "How high?", id: "1" },
      { content: "2 m", id: "2", response_metadata: {}, tool_calls: [], usage_metadata: null },
    ];
    const found = await run(
      span("r", undefined, "keeper", 0, 90, {
        "langwatch.span.type": "chain",
        "langwatch.output": json({ type: "json", value: { messages } }),
      }),
      span("a", "r", "llm", 10, 20, {
        "langwatch.span.type": "llm",
        "gen_ai.usage.input_tokens": 10,
        "langwatch.input": json({ type: "chat_messages", value: [{ role: "user", content: "How high?" }] }),
      }),
    );
    expect(found).toMatchObject({ query: "How high?", answer: "2 m" });
  });

  it("AutoGen's events in an agent's output are its calls and tools", async () => {
    const from = (source: string, type: string, content: unknown, usage: object | null = null) => ({
      source,
      type,
      content,
      models_usage: usage,
    });
    const messages = [
      from("user", "TextMessage", "How high?"),
      from("keeper", "ToolCallRequestEvent", [{ id: "c1", name: "gauge", arguments: '{"station":"n"}' }], {
        prompt_tokens: 10,
        completion_tokens: 3,
      }),
      from("keeper", "ToolCallExecutionEvent", [
        { call_id: "c1", name: "gauge", content: "2 m", is_error: false },
      ]),
      from("keeper", "TextMessage", "It is 2 m high.", { prompt_tokens: 20, completion_tokens: 6 }),
    ];
    const found = await run(
      span("r", undefined, "keeper.run", 0, 90, {
        "mlflow.spanType": '"AGENT"',
        "mlflow.spanInputs": json({ task: "How high?" }),
        "mlflow.spanOutputs": json({ messages }),
      }),
    );
    expect(found).toMatchObject({ llmCalls: 2, answer: "It is 2 m high.", usage: { input: 30, output: 9 } });
    expect(found.tools).toMatchObject([{ name: "gauge", arguments: { station: "n" }, result: "2 m" }]);
  });

  it("Pydantic AI's words behind what went wrong say that a tool failed", async () => {
    const content = "the station is closed\n\nFix the errors and try again.";
    const history = [
      { role: "user", content: "How high?" },
      { role: "assistant", tool_calls: [{ id: "c1", function: { name: "gauge", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "c1", content },
    ];
    const { tools } = await answered([{ role: "assistant", content: "I do not know." }], history);
    expect(tools).toMatchObject([{ name: "gauge", error: expect.stringContaining("the station is closed") }]);
  });

  it("a failed call whose output is written as null returned nothing", async () => {
    const failed = span("a", "r", "chat small", 10, 20, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.input.messages": user("How high?"),
      "output.value": "null",
    });
    const { status, answer } = await run(invoke("r", undefined, "keeper", 0, 90), {
      ...failed,
      status: { code: 2, message: "too long" },
    });
    expect(status).toBe("error");
    expect(answer).toBeNull();
  });
});
