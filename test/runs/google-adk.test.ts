import { describe, expect, it } from "vitest";
import { span } from "../support/otlp.ts";
import { runOf } from "../support/runs.ts";

function run(counts: Record<string, number>) {
  return runOf([
    span("a", undefined, "invoke_agent clerk", 0, 50, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "clerk",
    }),
    span("b", "a", "call_llm", 1, 40, {
      "gcp.vertex.agent.event_id": "e1",
      "gen_ai.request.model": "gemini-2.5-flash",
      "gen_ai.usage.input_tokens": 80,
      ...counts,
    }),
  ]);
}

describe("thoughts of Google's models", () => {
  it("are added to the output where the kit counts candidates alone (1.x)", () => {
    const { usage } = run({
      "gen_ai.usage.output_tokens": 15,
      "gen_ai.usage.experimental.reasoning_tokens": 12,
    });
    expect(usage).toMatchObject({ output: 27, reasoning: 12 });
  });

  it("are in the output already where they go by the conventions' name (2.x)", () => {
    const { usage } = run({
      "gen_ai.usage.output_tokens": 63,
      "gen_ai.usage.reasoning.output_tokens": 48,
    });
    expect(usage).toMatchObject({ output: 63, reasoning: 48 });
  });
});
