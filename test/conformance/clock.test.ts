import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { startCollectorProcess } from "../../src/collector/collector.ts";
import { exportDefaults } from "../../src/export/settings.ts";
import { createLog } from "../../src/telemetry/log/log.ts";
import { agentTrace, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { exampleSpec } from "../support/spec-of.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([3_600_000, -3_600_000])("A06 a clock that jumps by %i ms closes no trace", async (jumpMs) => {
  const live = await startCollectorProcess({
    specs: [exampleSpec("rag-agent")],
    judgeSkipPolicy: { judge: "off" },
    log: createLog({ level: "silent", format: "json" }),
    settings: {
      http: "127.0.0.1:0",
      grpc: "off",
      admin: "off",
      maxBody: 2 ** 20,
      timeouts: defaultTraceTimeouts,
      export: exportDefaults,
      attributes: [],
      prices: {},
      otelcolNames: false,
    },
  });
  const { root, tools } = agentTrace(9, 1, 2);
  await fetch(`http://${live.listening.http}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: Buffer.from(requestAsProtobuf([root, ...tools])),
  });
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + jumpMs);
  await sleep(300);

  expect(live.openTraces()).toBe(1);
  await live.stop(1_000);
});
