import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { openJudgedBy } from "../../src/collector/evaluation/judged-by.ts";
import { startCollectorProcess } from "../../src/collector/collector.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { loadConfig } from "../../src/config/load.ts";
import { destinationDefaults, exportDefaults } from "../../src/export/settings.ts";
import { createLog } from "../../src/telemetry/log/log.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { specOf } from "../support/spec-of.ts";

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
  const live = await startCollectorProcess({
    ...opened.by,
    log: createLog({ level: "silent", format: "json" }),
    settings: {
      http: "127.0.0.1:0",
      grpc: "off",
      admin: "off",
      maxBody: 2 ** 26,
      timeouts: defaultTraceTimeouts,
      export: { ...exportDefaults, otlp: [{ ...destinationDefaults, endpoint: sink.endpoint }] },
      attributes: [],
      prices: {},
      otelcolNames: false,
    },
  });
  await fetch(`http://${live.listening.http}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: readFileSync("test/fixtures/runs/rag-install.langgraph.jsonl", "utf8").split("\n")[0] ?? "",
  });
  await live.stop(5_000);
  await opened.close();

  const verdict = sink.spans.find(({ name }) => name === "tracejury.verdict");
  const judge = sink.spans.find(({ name }) => name === "tracejury.judge");
  expect(judge?.scope.name).toBe("tracejury");
  expect(judge?.attributes).toMatchObject({
    "gen_ai.request.model": "openai/judge-1",
    "gen_ai.usage.input_tokens": 120n,
    "gen_ai.usage.output_tokens": 30n,
  });
  expect(judge?.links).toMatchObject([{ traceId: verdict?.traceId }]);
  expect(judge?.traceId).not.toBe(verdict?.traceId);
});
