import { z } from "zod";
import { endpoint, headers } from "./values.ts";

const traces = z.strictObject({
  endpoint: endpoint.describe("Base address of an OTLP/HTTP backend, without /v1/traces"),
  headers: headers.describe("Headers of each request").default({}),
  protocol: z
    .enum(["http/protobuf", "http/json"])
    .describe("Encoding of requests. Phoenix and MLflow accept only protobuf")
    .default("http/protobuf"),
  sample: z.number().min(0).max(1).describe("Share of traces to export").default(1),
});

export const telemetry = z.strictObject({
  log_level: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .describe("Minimum level of the records in Tracejury's log")
    .default("info"),
  log_format: z
    .enum(["auto", "json", "pretty"])
    .describe("auto: plain text if stderr is a terminal, otherwise JSON")
    .default("auto"),
  otelcol_names: z
    .boolean()
    .describe("Also exports health metrics under the names of the OpenTelemetry Collector")
    .default(false),
  traces: traces
    .describe("Traces of Tracejury itself: evaluations, requests to judges and backends, Kafka commits")
    .exactOptional(),
});
