import { z } from "zod";
import { duration, size } from "../quantities.ts";

const wait = duration({ max: "7d" });

export const assemble = z.strictObject({
  root_quiet: wait
    .describe("Closes a trace with root span and without missing parents when no span arrives for this time")
    .default("6s"),
  root_open: wait
    .describe("Closes a trace with root span but with missing parents when no span arrives for this time")
    .default("15s"),
  root_cap: wait
    .describe("Closes a trace at the latest this long after its root span arrived")
    .default("60s"),
  idle: wait.describe("Closes a trace without root span when no span arrives for this time").default("5m"),
  max_age: wait
    .describe(
      "Closes a trace at the latest this long after its first span. `max_age` is also the longest pause within a run, for example for an approval",
    )
    .default("60m"),
  conversation_idle: wait
    .describe("A conversation ends when no run arrives for this time. Default: the value of `assemble.idle`")
    .exactOptional(),
  late_window: wait
    .describe(
      "Retains a closed trace for this time. A span that arrives within `late_window` causes a revised verdict",
    )
    .default("2m"),
  max_spans: z
    .int()
    .min(1)
    .describe(
      "Maximum number of spans of a trace. Tracejury closes a larger trace at once; further spans of the trace are forwarded, but not judged",
    )
    .default(32_000),
  max_bytes: size({ min: "1KiB" })
    .describe(
      "Maximum size of a trace. Tracejury closes a larger trace at once; further telemetry of the trace is forwarded, but not judged",
    )
    .default("16MiB"),
  late_bytes: size().describe("Memory for closed traces that wait for late spans").default("64MiB"),
});
