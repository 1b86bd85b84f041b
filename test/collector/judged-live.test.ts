import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openJudgedBy } from "../../src/collector/evaluation/judged-by.ts";
import { post, serve } from "../support/serve.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { loadConfig } from "../../src/config/load.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { specOf } from "../support/spec-of.ts";
import { destinationDefaults } from "../support/settings-defaults.ts";

test("a request to a judge goes out as a span of its own, beside the verdict and with its tokens", async () => {
  const model = await modelServer(() => completion({ score: 5, label: "pass", rationale: "r" }));
  const sink = await startOtlpSink();
  onTestFinished(() => sink.close());
  const env = { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: `${model.url}/v1` };
  const loaded = loadConfig({ files: [], set: [], env, reader: fileReader });
  if (!loaded.ok) throw new Error("no configuration");
  const specs = [
    specOf(`agent: "*"
judge_config: { model: openai/judge-1 }
queries: [{ query: "*", correctness: { llm_judge: [{ rule: It is kind. }] } }]
`),
  ];
  const opened = await openJudgedBy(loaded.config, specs, env);
  const live = await serve({
    ...opened.by,
    export: { otlp: [{ ...destinationDefaults, endpoint: sink.endpoint }] },
  });
  const [line = ""] = readFileSync("test/fixtures/runs/rag-install.langgraph.jsonl", "utf8").split("\n");
  await post(live, line);
  await live.stop(60_000);
  await opened.close();

  const verdict = sink.spans.find(({ name }) => name === "tracejury.verdict");
  const judge = sink.spans.find(({ name }) => name === "tracejury.judge");
  expect(judge?.scope.name).toBe("tracejury");
  expect(judge?.attributes).toMatchObject({
    "gen_ai.request.model": "judge-1",
    "gen_ai.usage.input_tokens": 120n,
    "gen_ai.usage.output_tokens": 30n,
  });
  expect(judge?.links).toMatchObject([{ traceId: verdict?.traceId }]);
  expect(judge?.traceId).not.toBe(verdict?.traceId);
});
