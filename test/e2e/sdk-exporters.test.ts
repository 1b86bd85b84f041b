import { readFileSync } from "node:fs";
import { OTLPTraceExporter as GrpcExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { CompressionAlgorithm } from "@opentelemetry/otlp-exporter-base";
import { BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { expect, onTestFinished, test } from "vitest";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";
import { metricsOf, serveInTest } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { spansOfLines } from "../support/reencode.ts";
import { sdkSpans } from "../support/sdk-spans.ts";
import { exampleSpec } from "../support/spec-of.ts";
import { destinationDefaults } from "../support/settings-defaults.ts";
import { StoppedClock } from "../support/stopped-clock.ts";

/** Of each request, by the SDK and by the collector: one that is repeated would be counted twice. */
const timeoutMillis = LONGEST_WAIT_MS;

const compression = CompressionAlgorithm.GZIP;
const exporters: readonly (readonly [string, (live: Collector) => SpanExporter])[] = [
  [
    "HTTP, JSON",
    ({ listening }) => new JsonExporter({ url: `http://${listening.http}/v1/traces`, timeoutMillis }),
  ],
  [
    "HTTP, protobuf with gzip",
    ({ listening }) =>
      new ProtobufExporter({ url: `http://${listening.http}/v1/traces`, timeoutMillis, compression }),
  ],
  [
    "gRPC with gzip",
    ({ listening }) => new GrpcExporter({ url: `http://${listening.grpc}`, timeoutMillis, compression }),
  ],
  [
    "gRPC to the HTTP port",
    ({ listening }) => new GrpcExporter({ url: `http://${listening.http}`, timeoutMillis }),
  ],
];

const runs = [
  ["a LangGraph run", "rag-weather-fixed.langgraph", "rag-agent", "weather", "pass"],
  ["a LangGraph run that would not give up", "rag-weather-broken.langgraph", "rag-agent", "weather", "fail"],
  ["an OpenAI Agents run with a hand-off", "support-cancel.agents-sdk", "support-router", "cancel", "pass"],
  [
    "an OpenAI Agents run that uses forbidden tools",
    "dev-forbidden.agents-sdk",
    "dev-agent",
    "fix-test",
    "fail",
  ],
] as const;

/** Each exporter and each run once: what an exporter sends is the same whatever the run. */
const cases = runs.flatMap((run, at) =>
  exporters.slice(at, at + 1).map(([name, make]) => [name, ...run, make] as const),
);

test.each(cases)(
  "C48 %s: %s comes back as a verdict",
  async (_, __, recording, spec, query, outcome, make) => {
    const sink = await startOtlpSink();
    onTestFinished(() => sink.close());
    const clock = new StoppedClock();
    const live = await serveInTest({
      specs: ["rag-agent", "dev-agent", "support-router"].map(exampleSpec),
      grpc: "127.0.0.1:0",
      timeouts: { rootQuietMs: 100, rootOpenMs: 200 },
      export: { otlp: [{ ...destinationDefaults, endpoint: sink.endpoint, timeoutMs: timeoutMillis }] },
      now: clock.now,
    });
    const spans = sdkSpans(spansOfLines(readFileSync(`test/fixtures/runs/${recording}.jsonl`, "utf8")));
    const processor = new BatchSpanProcessor(make(live), {
      maxExportBatchSize: 7,
      exportTimeoutMillis: timeoutMillis,
    });
    for (const span of spans) processor.onEnd(span);
    await processor.shutdown();
    clock.start();
    await live.whenIdle();
    const metrics = await metricsOf(live);
    await live.stop(60_000);

    const root = spans[0]?.spanContext().traceId;
    const verdict = sink.logs.find((log) => log.attributes["gen_ai.evaluation.name"] === "tracejury.verdict");
    expect(verdict).toMatchObject({ eventName: "gen_ai.evaluation.result", traceId: root });
    expect(verdict?.attributes).toMatchObject({
      "gen_ai.evaluation.score.label": outcome,
      "test.suite.name": spec,
      "test.case.name": query,
    });
    const span = sink.spans.find(({ name }) => name === "tracejury.verdict");
    expect(span).toMatchObject({ traceId: root });
    expect(span?.events.length).toBe(sink.logs.length);
    expect(sink.metrics.map(({ name }) => name)).toContain("tracejury.verdicts");
    expect(metrics).toMatch(new RegExp(`tracejury_verdicts_total\\{.*outcome="${outcome}"\\} 1`));
  },
);
