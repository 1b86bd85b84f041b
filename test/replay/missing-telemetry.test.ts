import { describe, expect, test } from "vitest";
import { missingTelemetryOf } from "../../src/replay/agent/process/missing-telemetry.ts";

const endpoint = "http://127.0.0.1:43111";
const nothing = { requests: 0, spans: 0, logRecords: 0, metricRequests: 0, refused: new Map() };

const python =
  "Transient error HTTPConnectionPool(host='localhost', port=4399): Max retries exceeded with url: /v1/traces (Caused by NewConnectionError) encountered while exporting spans batch, retrying in 0.86s.";
const node = `{"stack":"Error: connect ECONNREFUSED 127.0.0.1:4399\\n    at TCPConnectWrap.afterConnect (node:net:1611:16)","message":"connect ECONNREFUSED 127.0.0.1:4399","code":"ECONNREFUSED"}`;

describe("an agent whose exporter sends elsewhere", () => {
  test.each([
    ["Python over HTTP", python, "Max retries exceeded with url: /v1/traces"],
    [
      "Python over gRPC",
      "Transient error StatusCode.UNAVAILABLE encountered while exporting traces to localhost:4399, retrying in 1.00s.",
      "UNAVAILABLE",
    ],
    ["Node", node, "connect ECONNREFUSED 127.0.0.1:4399"],
    [
      "Go",
      'traces export: Post "http://localhost:4399/v1/traces": dial tcp 127.0.0.1:4399: connect: connection refused',
      "traces export",
    ],
    [
      "Java",
      "ERROR io.opentelemetry.exporter.internal.http.HttpExporter - Failed to export spans. Full error message: Failed to connect to localhost/127.0.0.1:4399",
      "Failed to export spans",
    ],
    ["an address alone", "tracing to http://localhost:4399", "http://localhost:4399"],
    ["no address", "Failed to export spans batch due to timeout", "Failed to export"],
  ])("%s: the line of its output is quoted", (_, line, quoted) => {
    const output = `An order.\n\u001B[31m${line}\u001B[0m\nlater: ${line}\n`;
    for (const [sent, received] of [
      ["nothing", nothing],
      ["metrics and no traces", { ...nothing, metricRequests: 1 }],
      ["2 log records and no span", { ...nothing, requests: 1, logRecords: 2 }],
    ] as const) {
      const { reason, hint } = missingTelemetryOf(received, {}, endpoint, output);
      expect(reason).toMatch(`the agent sent ${sent}; its output contains: `);
      expect(reason).toMatch(quoted);
      expect(hint).toMatch(
        "if the agent's code sets an endpoint, it overrides OTEL_EXPORTER_OTLP_ENDPOINT: remove it from the code",
      );
    }
  });

  test.each([
    "I have refunded 49.90 EUR for order A-1001.",
    "The export licence is at http://shop.example/licences",
    "exporting traces to http://127.0.0.1:43111/v1/traces",
    "at Object.run (node:internal/trace:10:12)",
    "",
  ])("no line is quoted from %j", (output) => {
    const { reason, hint } = missingTelemetryOf(nothing, {}, endpoint, output);
    expect(reason).toBe("the agent sent nothing");
    expect(hint).toMatch("remove it");
  });

  test("a variable that switches traces off is named, also when metrics or logs come", () => {
    const env = { OTEL_TRACES_EXPORTER: "none" };
    for (const received of [nothing, { ...nothing, metricRequests: 1 }, { ...nothing, requests: 1 }])
      expect(missingTelemetryOf(received, env, endpoint)).toMatchObject({
        reason: expect.stringMatching(/: OTEL_TRACES_EXPORTER=none does not export traces$/),
        hint: "remove the variable from the environment",
      });
  });
});
