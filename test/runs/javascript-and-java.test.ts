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
