import { expect, test } from "vitest";
import type { RecordedCall } from "../../src/model-server/record/call-span.ts";
import { KeptCalls } from "../../src/replay/agent/recording/kept-calls.ts";
import { answerOf } from "../model-server/scripted.ts";

function call(text: string): RecordedCall {
  const message = { role: "user", name: null, text, calls: [], results: [] } as const;
  const usage = { input: 5, output: 2, cached: null, cacheWrite: null, reasoning: null };
  return {
    operation: "chat",
    provider: "openai",
    request: { model: "m", system: text, messages: [message], tools: null, parameters: {} },
    isStreamed: false,
    previousResponseId: null,
    answer: answerOf({ text, finish: "stop", usage }),
    error: null,
    startUnixMs: 1,
    endUnixMs: 2,
    firstChunkMs: null,
    server: { address: "localhost", port: null },
  };
}

test("calls beyond the bound are kept without messages, and counted", () => {
  const calls = new KeptCalls(10_000);
  calls.begin("call");
  for (const text of ["short", "x".repeat(20_000), "brief"])
    calls.add(call(text), { callId: "call", parent: null });
  const { resourceSpans } = JSON.parse(calls.spansOf("call", [], {}) ?? "null") as {
    resourceSpans: { scopeSpans: { spans: { attributes: { key: string }[] }[] }[] }[];
  };
  const keys = resourceSpans[0]?.scopeSpans[0]?.spans.map(({ attributes }) =>
    attributes.map(({ key }) => key),
  );
  const contents = ["gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"];
  const counts = ["gen_ai.usage.input_tokens", "gen_ai.request.model", "gen_ai.response.finish_reasons"];

  expect(calls.withoutContents).toBe(1);
  expect(keys).toEqual([
    expect.arrayContaining([...contents, ...counts]),
    expect.arrayContaining(counts),
    expect.arrayContaining([...contents, ...counts]),
  ]);
  for (const key of contents) expect(keys?.[1]).not.toContain(key);
});
