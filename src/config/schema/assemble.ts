import { z } from "zod";
import { duration, size } from "../quantities.ts";

const wait = duration({ max: "7d" });

export const assemble = z.strictObject({
  root_quiet: wait
    .describe(
      "A trace that has its root span and no missing parent is complete when no span arrives for this time",
    )
    .default("6s"),
  root_open: wait
    .describe(
      "A trace that has its root span but lacks a parent span is complete when no span arrives for this time",
    )
    .default("15s"),
  root_cap: wait.describe("Longest wait for further spans after the root span arrived").default("60s"),
  idle: wait
    .describe("A trace without a root span is closed when no span arrives for this time")
    .default("5m"),
  max_age: wait
    .describe(
      "A trace is closed at the latest this long after its first span. Also the longest pause within a run, such as the wait for an approval",
    )
    .default("60m"),
  conversation_idle: wait
    .describe("A conversation ends when no run arrives for this time. Default: `idle`")
    .exactOptional(),
  late_window: wait
    .describe("Time that a closed trace is retained. If spans arrive in this time, the trace is judged again")
    .default("2m"),
  max_spans: z
    .int()
    .min(1)
    .describe(
      "Most spans of a trace. A trace with more spans is closed at once; its further spans are forwarded, but not judged",
    )
    .default(32_000),
  max_bytes: size({ min: "1KiB" })
    .describe(
      "Largest trace. A larger trace is closed at once; its further telemetry is forwarded, but not judged",
    )
    .default("16MiB"),
  late_bytes: size().describe("Memory for closed traces that wait for late spans").default("64MiB"),
});
