import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Telemetry as producers in JavaScript and Java write it; whole recordings are in test/fixtures/recordings. */

type Span = ReturnType<typeof span>;

async function run(spans: readonly Span[], scope = "test"): Promise<AgentRun> {
  const [one, ...others] = await replayed(document(spans, { scope }));
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

describe("Spring AI, killed before its outermost span ended", () => {
  const call = (id: string, parent: string, at: number, input: number, output: number): Span =>
    span(id, parent, "chat small", at, at + 5, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.response.finish_reasons": ["TOOL_CALLS"],
      "gen_ai.usage.input_tokens": input,
      "gen_ai.usage.output_tokens": output,
    });
  const tool = span("t", "gone", "tool_call weather", 10, 12, {
    "spring.ai.kind": "tool_call",
    "spring.ai.tool.definition.name": "weather",
    "spring.ai.tool.call.arguments": '{"city":"Oslo"}',
    "spring.ai.tool.call.result": "rain",
  });

  it("each call of a loop counts what it adds, also without the span around the loop", async () => {
    const { usage, llmCalls } = await run([
      call("a", "gone", 0, 150, 15),
      tool,
      call("b", "gone", 20, 340, 35),
    ]);
    expect({ llmCalls, input: usage.input, output: usage.output }).toEqual({
      llmCalls: 2,
      input: 340,
      output: 35,
    });
  });

  it("an advisor is no agent", async () => {
    const advisor = span("v", "gone", "call", 0, 9, {
      "spring.ai.kind": "advisor",
      "spring.ai.advisor.name": "call",
    });
    const { agent } = await run([advisor, call("a", "v", 1, 150, 15), tool]);
    expect(agent).toBe("shop");
  });
});

describe("Mastra", () => {
  const agent = span("r", undefined, "invoke_agent clerk", 0, 100, {
    "openinference.span.kind": "AGENT",
    "mastra.span.type": "agent_run",
    "agent.name": "clerk",
    "input.value": '[{"role":"user","content":"Is it raining in Oslo?"}]',
    "output.value": '{"text":"Yes."}',
  });
  const generation = span("g", "r", "chat small", 1, 99, {
    "openinference.span.kind": "LLM",
    "mastra.span.type": "model_generation",
    "llm.model_name": "small",
    "llm.token_count.prompt": 300,
    "llm.token_count.completion": 20,
    "output.value": '[{"role":"assistant","parts":[{"type":"text","content":"Yes."}]}]',
  });
  const step = (id: string, at: number, output: string): Span =>
    span(id, "g", "model_step clerk", at, at + 10, {
      "openinference.span.kind": "LLM",
      "mastra.span.type": "model_step",
      "output.value": output,
    });
  const asks = '{"text":"","toolCalls":[{"toolCallId":"c1","toolName":"weather","args":{"city":"Oslo"}}]}';

  it("steps below a generation that has the usage of all are calls", async () => {
    const { llmCalls, totalTokens } = await run([
      agent,
      generation,
      step("s1", 2, asks),
      step("s2", 40, '{"text":"Yes.","toolCalls":[]}'),
    ]);
    expect({ llmCalls, totalTokens }).toEqual({ llmCalls: 2, totalTokens: 320 });
  });

  it("a call that was suspended and is shown again when the run goes on counts once", async () => {
    const chat = (id: string, parent: string, at: number, more: Parameters<typeof span>[5]): Span =>
      span(id, parent, "chat small", at, at + 5, {
        "mastra.span.type": "model_inference",
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "small",
        ...more,
      });
    const invoke = (id: string, parent: string | undefined, at: number): Span =>
      span(id, parent, "invoke_agent clerk", at, at + 30, {
        "mastra.span.type": "agent_run",
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "clerk",
      });
    const answered = (input: number, output: string): Parameters<typeof span>[5] => ({
      "gen_ai.usage.input_tokens": input,
      "gen_ai.usage.output_tokens": 10,
      "gen_ai.output.messages": output,
    });
    const { llmCalls, usage } = await run(
      [
        invoke("r", undefined, 0),
        chat("a", "r", 1, {}),
        invoke("q", "r", 40),
        chat(
          "b",
          "q",
          41,
          answered(
            100,
            '[{"role":"assistant","parts":[{"type":"tool_call","id":"c1","name":"book","arguments":{}}]}]',
          ),
        ),
        chat(
          "c",
          "q",
          50,
          answered(130, '[{"role":"assistant","parts":[{"type":"text","content":"Booked."}]}]'),
        ),
      ],
      "@mastra/otel-exporter",
    );
    expect({ llmCalls, input: usage.input }).toEqual({ llmCalls: 2, input: 230 });
  });
});

describe("LangChain", () => {
  const metadata = (agent: string): Readonly<Record<string, string>> => ({
    metadata: JSON.stringify({ lc_agent_name: agent, langgraph_node: "tools" }),
  });
  const chain = (id: string, parent: string | undefined, name: string, at: number, end: number): Span =>
    span(id, parent, name, at, end, { "openinference.span.kind": "CHAIN", ...metadata("front") });
  const call = (id: string, parent: string, at: number, output: object): Span =>
    span(id, parent, "ChatOpenAI", at, at + 4, {
      "openinference.span.kind": "LLM",
      "llm.model_name": "small",
      "llm.output_messages.0.message.role": "assistant",
      ...output,
      ...metadata("front"),
    });
  const text = (words: string): object => ({ "llm.output_messages.0.message.content": words });
  const asks = (id: string, name: string, args: string): object => ({
    "llm.output_messages.0.message.tool_calls.0.tool_call.id": id,
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": name,
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": args,
  });
  const tool = (id: string, parent: string, name: string, at: number, end: number, input: string): Span =>
    span(id, parent, name, at, end, {
      "openinference.span.kind": "TOOL",
      "tool.name": name,
      "input.value": input,
      "output.value": "rain",
      ...metadata("front"),
    });

  it("an agent that a tool runs works under its own name, though it inherits the metadata of the tool", async () => {
    const { agent, finalAgent, handoffs, tools } = await run([
      chain("r", undefined, "front", 0, 100),
      chain("r0", "r", "__start__", 0, 1),
      call("a", "r", 2, asks("c1", "ask_weather_desk", '{"task":"Oslo"}')),
      tool("t", "r", "ask_weather_desk", 10, 60, '{"task":"Oslo"}'),
      chain("w", "t", "WeatherDesk", 11, 59),
      chain("w0", "w", "__start__", 11, 12),
      call("b", "w", 13, asks("c2", "forecast", '{"city":"Oslo"}')),
      tool("f", "w", "forecast", 20, 25, '{"city":"Oslo"}'),
      call("c", "w", 30, text("Rain.")),
      call("d", "r", 70, text("Take an umbrella.")),
    ]);
    expect({ agent, finalAgent }).toEqual({ agent: "front", finalAgent: "front" });
    expect(handoffs.map(({ from, to }) => `${from} > ${to}`)).toEqual(["front > WeatherDesk"]);
    expect(tools.map(({ name, agent: by }) => `${by}: ${name}`)).toEqual(["WeatherDesk: forecast"]);
  });
});

describe("Claude Code", () => {
  it.each([
    ["rain\n\n<system-reminder>\nUse the list of tasks.\n</system-reminder>", "rain"],
    ["rain<system-reminder>a</system-reminder>\n<system-reminder>b</system-reminder>", "rain"],
    ["<system-reminder> is how a reminder begins", "<system-reminder> is how a reminder begins"],
  ])("what it adds for the model is no part of a tool's result: %j", async (output, result) => {
    const { tools } = await run([
      span("r", undefined, "query", 0, 50, { "openinference.span.kind": "AGENT", "input.value": "Rain?" }),
      span("t", "r", "mcp__desk__weather", 1, 5, {
        "openinference.span.kind": "TOOL",
        "tool.name": "mcp__desk__weather",
        "input.value": '{"city":"Oslo"}',
        "output.value": JSON.stringify([{ type: "text", text: output }]),
      }),
    ]);
    expect(tools.map((tool) => tool.result)).toEqual([result]);
  });
});
