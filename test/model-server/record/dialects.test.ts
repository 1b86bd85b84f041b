import { expect, test } from "vitest";
import { recordingScope } from "../../../src/model/telemetry/own-scope.ts";
import { document, span } from "../../support/otlp.ts";
import { replayed } from "../../support/replayed.ts";

const recorded = document(
  [
    span("m", "c", "chat m", 2, 79, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "m",
      "gen_ai.response.id": "r-1",
    }),
  ],
  { scope: recordingScope },
);

test.each([
  ["openinference", { "openinference.span.kind": "LLM", "llm.model_name": "m" }],
  ["OpenTelemetry's own", { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" }],
])("an agent's run in the dialect %s has the same dialects with recorded calls", async (_, attributes) => {
  const own = document([span("c", undefined, "llm", 1, 80, attributes)]);
  const [plain] = await replayed(own);
  const [merged, ...others] = await replayed(own, recorded);

  expect(plain?.dialects).toHaveLength(1);
  expect([merged?.dialects, others]).toEqual([plain?.dialects, []]);
});

test("recorded calls alone are a run in OpenTelemetry's dialect", async () => {
  const [run] = await replayed(recorded);
  expect(run?.dialects).toEqual(["otel-genai"]);
});
