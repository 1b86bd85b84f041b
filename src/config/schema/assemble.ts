import { z } from "zod";
import { duration, size } from "../quantities.ts";

const wait = duration({ max: "7d" });

export const assemble = z.strictObject({
  root_quiet: wait
    .describe(
      "Closes a trace whose root span and parent spans have all arrived, after this time without a new span",
    )
    .default("6s"),
  root_open: wait
    .describe(
      "Closes a trace whose root span has arrived, but not all parent spans, after this time without a new span. A finished trace without an answer waits this long for the next trace of its run",
    )
    .default("15s"),
  root_cap: wait
    .describe("Closes a trace at the latest this long after its root span arrived")
    .default("60s"),
  idle: wait
    .describe("Closes a trace whose root span has not arrived, after this time without a new span")
    .default("5m"),
  max_age: wait
    .describe(
      "Closes a trace at the latest this long after its first span arrived. Two traces with a longer pause between them are never parts of one run",
    )
    .default("60m"),
  conversation_idle: wait
    .describe("Ends a conversation after this time without a run. Default: `assemble.idle`")
    .exactOptional(),
  late_window: wait
    .describe("Time after the close in which a late span causes a revised verdict")
    .default("2m"),
  max_spans: z
    .int()
    .min(1)
    .describe(
      "Maximum number of spans of a trace. A larger trace closes at once; further spans are forwarded, but not judged",
    )
    .default(32_000),
  max_bytes: size({ min: "1KiB" })
    .describe(
      "Maximum size of a trace. A larger trace closes at once; further telemetry is forwarded, but not judged",
    )
    .default("16MiB"),
  late_bytes: size().describe("Memory for closed traces that wait for late spans").default("64MiB"),
});
