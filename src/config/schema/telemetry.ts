import { z } from "zod";

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
});
