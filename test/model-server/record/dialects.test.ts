import { describe, expect, test } from "vitest";
import type { AgentRun } from "../../../src/model/run.ts";
import { recordingScope } from "../../../src/model/telemetry/own-scope.ts";
import { document, span } from "../../support/otlp.ts";
import { replayed } from "../../support/replayed.ts";

const contents = {
  "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]',
  "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"ho"}]}]',
};
const counts = { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 5 };
const own = {
  "gen_ai.operation.name": "chat",
  "gen_ai.response.model": "m-2024",
  "gen_ai.response.finish_reasons": ["stop"],
  "operation.cost": 0.5,
};
const seen = {
  ...contents,
  ...counts,
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "m",
  "gen_ai.response.model": "m-2024",
  "gen_ai.response.finish_reasons": ["tool_call"],
  "gen_ai.usage.reasoning.output_tokens": 0,
  "gen_ai.response.id": "r-1",
};

describe("an instrumented agent's run is the same with recorded calls", () => {
  const agent = span("a", undefined, "invoke_agent", 0, 100, { "gen_ai.operation.name": "invoke_agent" });
  const byServer = (id: string, start: number, attributes: Parameters<typeof span>[5], more = {}) =>
    document([span(id, "c", "chat m", start, start + 5, attributes, more)], { scope: recordingScope });
  const failed = byServer(
    "f",
    2,
    { "gen_ai.operation.name": "chat" },
    { status: { code: 2, message: "429" } },
  );

  test.each([
    ["one", [byServer("m", 10, seen)]],
    ["a failed attempt before it", [failed, byServer("m", 10, seen)]],
  ])("%s", async (_, recordedCalls) => {
    const telemetry = document([agent, span("c", "a", "llm", 1, 80, { ...own, ...contents, ...counts })]);
    const [plain] = await replayed(telemetry);
    const [merged, ...others] = await replayed(telemetry, ...recordedCalls);

    expect(plain?.llm).toHaveLength(1);
    expect([fieldsOf(merged), others]).toEqual([fieldsOf(plain), []]);
  });

  test.each([
    ["messages", counts],
    ["tokens", contents],
  ])("but for %s that it lacks", async (_, attributes) => {
    const telemetry = document([agent, span("c", "a", "llm", 1, 80, { ...own, ...attributes })]);
    const [merged] = await replayed(telemetry, byServer("m", 10, seen));

    expect(merged?.llm.map(({ finishReason, costUsd }) => [finishReason, costUsd])).toEqual([["stop", 0.5]]);
    expect([merged?.answer, merged?.totalTokens]).toEqual(["ho", 15]);
  });
});

/** All that a run shows, without the ids of its dump. */
function fieldsOf(run: AgentRun | undefined): unknown {
  if (run === undefined) return null;
  const { answer, totalTokens, usage, models, costUsd, priceSource, missing, llm, status, query } = run;
  return { answer, totalTokens, usage, models, costUsd, priceSource, missing, llm, status, query };
}
