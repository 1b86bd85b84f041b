import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { type OpenedJudgedBy, openJudgedBy } from "../../src/collector/evaluation/judged-by.ts";
import { post, serve } from "../support/serve.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { loadConfig } from "../../src/config/load.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { FakeBroker, FakeMember, kafkaDefaults } from "../kafka/support.ts";
import { until } from "../support/eventually.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { specOf } from "../support/spec-of.ts";
import { destinationDefaults } from "../support/settings-defaults.ts";

const judging = `agent: "*"
judge_config: { model: openai/judge-1 }
queries: [{ query: "*", correctness: { llm_judge: [{ rule: It is kind. }] } }]
`;

async function judgedBy(url: string): Promise<OpenedJudgedBy> {
  const env = { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: `${url}/v1` };
  const loaded = loadConfig({ files: [], set: [], env, reader: fileReader });
  if (!loaded.ok) throw new Error("no configuration");
  return openJudgedBy(loaded.config, [specOf(judging)], env);
}

const [line = ""] = readFileSync("test/fixtures/runs/rag-install.langgraph.jsonl", "utf8").split("\n");

test("a run that no log keeps is reported at the stop, although Kafka keeps others", async () => {
  const model = await modelServer(() => "hang");
  const opened = await judgedBy(model.url);
  const verdicts: string[] = [];
  const live = await serve({
    ...opened.by,
    kafkaPort: new FakeMember(new FakeBroker()),
    kafka: kafkaDefaults,
    timeouts: { rootQuietMs: 50 },
    onJudged: (judged) => void verdicts.push(...judged.verdicts.map(({ outcome }) => outcome)),
  });
  await post(live, line);
  await until(() => model.received.length > 0);
  await live.stop(2_000);
  await opened.close();
  expect(verdicts).toEqual(["error"]);
});

test("a request to a judge goes out as a span of its own, beside the verdict and with its tokens", async () => {
  const model = await modelServer(() => completion({ score: 5, label: "pass", rationale: "r" }));
  const sink = await startOtlpSink();
  onTestFinished(() => sink.close());
  const opened = await judgedBy(model.url);
  const live = await serve({
    ...opened.by,
    export: { otlp: [{ ...destinationDefaults, endpoint: sink.endpoint }] },
  });
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
