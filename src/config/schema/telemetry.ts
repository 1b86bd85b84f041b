import { z } from "zod";
import { endpoint, headers } from "./values.ts";

const traces = z.strictObject({
  endpoint: endpoint.describe("Base address of an OTLP/HTTP backend; /v1/traces is appended"),
  headers: headers.describe("Sent with each request").default({}),
  protocol: z
    .enum(["http/protobuf", "http/json"])
    .describe("Phoenix and MLflow take protobuf alone")
    .default("http/protobuf"),
  sample: z.number().min(0).max(1).describe("Share of traces that are sent").default(1),
});

export const telemetry = z.strictObject({
  log_level: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .describe("What of our own log is written")
    .default("info"),
  log_format: z
    .enum(["auto", "json", "pretty"])
    .describe("auto: plain text on a terminal, JSON elsewhere")
    .default("auto"),
  otelcol_names: z
    .boolean()
    .describe("Our health also under the OpenTelemetry Collector's metric names")
    .default(false),
  traces: traces
    .describe(
      "Traces of our own work: evaluations, requests to judges and backends, Kafka commits; absent: none",
    )
    .exactOptional(),
});
