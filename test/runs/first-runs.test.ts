import { describe, expect, it } from "vitest";
import { adapters } from "../../adapters/index.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { tracesOf } from "../support/json-spans.ts";

const fragments = new FragmentReader(adapters);

function runOf(...spans: ReturnType<typeof span>[]): AgentRun {
  const joiner = new RunStitcher();
  for (const trace of tracesOf([document(spans)])) joiner.add(fragments.read(trace), 0);
  const [run] = joiner.drain();
  if (run === undefined) throw new Error("no run");
  return run;
}

const question = [{ role: "user", parts: [{ type: "text", content: "How late is it in Oslo?" }] }];
const asked = [
  {
    role: "assistant",
    parts: [{ type: "tool_call", id: "call_1", name: "clock", arguments: { city: "Oslo" } }],
    finish_reason: "tool_call",
  },
];

describe("a plain agent run in OpenTelemetry's conventions", () => {
  const run = runOf(
    span("a", undefined, "invoke_agent clerk", 0, 100, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "clerk",
    }),
    span("b", "a", "chat small", 1, 20, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.usage.input_tokens": 20,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.input.messages": JSON.stringify(question),
      "gen_ai.output.messages": JSON.stringify(asked),
    }),
    span("c", "a", "execute_tool clock", 21, 30, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "clock",
      "gen_ai.tool.call.id": "call_1",
      "gen_ai.tool.call.arguments": '{"city":"Oslo"}',
      "gen_ai.tool.call.result": "12:05",
    }),
    span("d", "a", "chat small", 31, 60, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.usage.input_tokens": 40,
      "gen_ai.usage.output_tokens": 8,
      "gen_ai.input.messages": JSON.stringify([
        ...question,
        ...asked,
        { role: "tool", parts: [{ type: "tool_call_response", id: "call_1", response: "12:05" }] },
      ]),
      "gen_ai.output.messages": JSON.stringify([
        { role: "assistant", parts: [{ type: "text", content: "It is 12:05." }], finish_reason: "stop" },
      ]),
    }),
  );

  it("says who was asked what, and what was answered", () => {
    expect(run).toMatchObject({
      agent: "clerk",
      query: "How late is it in Oslo?",
      answer: "It is 12:05.",
      status: "ok",
      complete: true,
    });
  });

  it("has one tool call for request, span and history together", () => {
    expect(run.tools).toHaveLength(1);
    expect(run.tools[0]).toMatchObject({
      name: "clock",
      arguments: { city: "Oslo" },
      result: "12:05",
      error: null,
    });
  });

  it("sums the tokens of its calls", () => {
    expect(run.usage).toMatchObject({ input: 60, output: 13 });
    expect([run.llmCalls, run.totalTokens]).toEqual([2, 73]);
  });
});
