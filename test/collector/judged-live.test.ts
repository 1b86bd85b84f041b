import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { post, serve } from "../support/serve.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { FakeBroker, FakeMember, kafkaDefaults } from "../kafka/support.ts";
import { judgedByModel } from "../support/judged-by-model.ts";
import { until } from "../support/eventually.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { destinationDefaults } from "../support/settings-defaults.ts";

const [line = ""] = readFileSync("test/fixtures/runs/rag-install.langgraph.jsonl", "utf8").split("\n");

test("a run that no log keeps is reported at the stop, although Kafka keeps others", async () => {
  const model = await modelServer(() => "hang");
  const opened = await judgedByModel(model.url);
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
  const opened = await judgedByModel(model.url);
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
