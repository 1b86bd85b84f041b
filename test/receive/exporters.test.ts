import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { LoggerProvider, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { describe, expect, test } from "vitest";
import type { Acceptance, Refusal } from "../../src/receive/ports.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { ACCEPTED, receive, type Taken } from "./support.ts";

/** Sends `count` spans through a batch processor; rejects when the SDK reports an error. */
async function sendSpans(exporter: SpanExporter, count: number): Promise<void> {
  const provider = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: 100_000, maxExportBatchSize: 100 })],
  });
  const tracer = provider.getTracer("test");
  const root = tracer.startSpan("root", {}, ROOT_CONTEXT);
  const parent = trace.setSpan(ROOT_CONTEXT, root);
  for (let i = 1; i < count; i++) tracer.startSpan(`step ${i}`, { attributes: { i } }, parent).end();
  root.end();
  await provider.forceFlush();
  await provider.shutdown();
}

function spansIn(taken: readonly Taken[]): number {
  let spans = 0;
  for (const { body } of taken) {
    const read = readTraces(body);
    spans += read.ok ? read.batch.spanCount : NaN;
  }
  return spans;
}

describe("C48 real OpenTelemetry SDKs", () => {
  test("what is refused for now is sent again, to either port, and nothing is lost", async () => {
    const busy: Refusal = { kind: "unavailable", retryAfterS: 0.01, message: "busy" };
    const answers: Acceptance[] = [busy, ACCEPTED, ACCEPTED];
    const kept: Taken[] = [];
    const running = await receive({
      accept: (body, request) => {
        const answer = answers.shift() ?? ACCEPTED;
        if (answer === ACCEPTED) kept.push({ body, request });
        return answer;
      },
    });
    for (const port of [running.http, running.grpc])
      await sendSpans(new ProtobufExporter({ url: `http://${port}/v1/traces` }), 150);
    expect(spansIn(kept)).toBe(300);
  });

  test("log records and metrics", async () => {
    const { http, taken } = await receive();
    const logs = new LoggerProvider({
      processors: [
        new SimpleLogRecordProcessor({ exporter: new OTLPLogExporter({ url: `http://${http}/v1/logs` }) }),
      ],
    });
    logs.getLogger("test").emit({ body: "hello" });
    await logs.forceFlush();
    const exporter = new OTLPMetricExporter({ url: `http://${http}/v1/metrics` });
    const metrics = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
    metrics.getMeter("test").createCounter("calls").add(1);
    await metrics.forceFlush();
    await Promise.all([logs.shutdown(), metrics.shutdown()]);
    expect(new Set(taken.map(({ request }) => request.signal))).toEqual(new Set(["logs", "metrics"]));
  });
});
