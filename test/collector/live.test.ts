import { expect, test } from "vitest";
import { postRecording, serve } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import type { JudgedRun } from "../../src/pipeline/judge-run.ts";
import { exampleSpec } from "../support/spec-of.ts";

async function started(onJudged: (judged: JudgedRun) => void): Promise<Collector> {
  return serve({
    specs: ["rag-agent", "dev-agent", "support-router"].map(exampleSpec),
    grpc: "127.0.0.1:0",
    onJudged,
  });
}

test.each([
  ["rag-weather-fixed.langgraph", "rag-agent", "weather", "pass", false],
  ["rag-weather-broken.langgraph", "rag-agent", "weather", "fail", true],
  ["dev-forbidden.agents-sdk", "dev-agent", "fix-test", "fail", true],
  ["rag-install.langgraph", "rag-agent", "install", "pass", false],
  ["support-cancel.agents-sdk", "support-router", "cancel", "pass", false],
])("%s, sent over HTTP, is judged %s", async (recording, spec, queryId, outcome, hardFail) => {
  const judged: JudgedRun[] = [];
  const live = await started((one) => judged.push(one));
  await postRecording(live, recording);
  await live.stop(60_000);

  expect(judged.flatMap(({ verdicts }) => verdicts)).toMatchObject([
    { spec, queryId, outcome, hardFail, revision: 1 },
  ]);
  expect(judged[0]?.run).toMatchObject({ complete: true, closeReason: "shutdown" });
});

test("runs and verdicts can be read from the admin port, and are counted in its metrics", async () => {
  const live = await started(() => undefined);
  try {
    await postRecording(live, "rag-weather-fixed.langgraph");
    const status = await (await fetch(`http://${live.listening.admin}/api/status`)).json();

    expect(status).toMatchObject({ open_traces: 1 });
    expect(await (await fetch(`http://${live.listening.admin}/metrics`)).text()).toContain(
      'tracejury_receiver_accepted_spans_total{transport="http"} ',
    );
  } finally {
    await live.stop(60_000);
  }
});
