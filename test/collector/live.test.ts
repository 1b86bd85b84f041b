import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { startCollectorProcess } from "../../src/collector/collector.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { exportDefaults } from "../../src/export/settings.ts";
import type { JudgedRun } from "../../src/pipeline/judge-run.ts";
import { createLog } from "../../src/telemetry/log/log.ts";
import { exampleSpec } from "../support/spec-of.ts";

async function started(onJudged: (judged: JudgedRun) => void): Promise<Collector> {
  return startCollectorProcess({
    specs: ["rag-agent", "dev-agent", "support-router"].map(exampleSpec),
    judgeSkipPolicy: { judge: "off" },
    log: createLog({ level: "silent", format: "json" }),
    settings: {
      http: "127.0.0.1:0",
      grpc: "127.0.0.1:0",
      admin: "127.0.0.1:0",
      maxBody: 2 ** 26,
      timeouts: defaultTraceTimeouts,
      export: exportDefaults,
      attributes: [],
      prices: {},
      otelcolNames: false,
    },
    onJudged,
  });
}

async function send(live: Collector, recording: string): Promise<void> {
  const lines = readFileSync(`test/fixtures/runs/${recording}.jsonl`, "utf8").split("\n");
  for (const body of lines.filter((line) => line !== "")) {
    const answer = await fetch(`http://${live.listening.http}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(answer.status).toBe(200);
  }
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
  await send(live, recording);
  await live.stop(5_000);

  expect(judged.flatMap(({ verdicts }) => verdicts)).toMatchObject([
    { spec, queryId, outcome, hardFail, revision: 1 },
  ]);
  expect(judged[0]?.run).toMatchObject({ complete: true, closeReason: "shutdown" });
});

test("runs and verdicts can be read from the admin port, and are counted in its metrics", async () => {
  const live = await started(() => undefined);
  try {
    await send(live, "rag-weather-fixed.langgraph");
    const status = await (await fetch(`http://${live.listening.admin}/api/status`)).json();

    expect(status).toMatchObject({ open_traces: 1 });
    expect(await (await fetch(`http://${live.listening.admin}/metrics`)).text()).toContain(
      'tracejury_receiver_accepted_spans_total{transport="http"} ',
    );
  } finally {
    await live.stop(5_000);
  }
});
