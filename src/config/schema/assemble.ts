import { z } from "zod";
import { duration, size } from "../quantities.ts";

const wait = duration({ max: "7d" });

export const assemble = z.strictObject({
  root_quiet: wait
    .describe("A trace with its root and no gaps is complete when quiet for this long")
    .default("6s"),
  root_open: wait.describe("The same, while a parent span is missing").default("15s"),
  root_cap: wait.describe("Longest wait after the root arrived").default("60s"),
  idle: wait.describe("A trace without a root is closed when quiet for this long").default("5m"),
  max_age: wait
    .describe(
      "Longest wait after the first span. Also the longest pause within a run, such as for an approval",
    )
    .default("60m"),
  conversation_idle: wait
    .describe("A conversation ends after this long without a run. Default: `idle`")
    .exactOptional(),
  late_window: wait
    .describe("How long a closed trace is retained. If late spans arrive in this time, it is judged again")
    .default("2m"),
  max_spans: z
    .int()
    .min(1)
    .describe("A trace with more spans is closed at once; its further spans are forwarded, not judged")
    .default(32_000),
  max_bytes: size({ min: "1KiB" })
    .describe("A larger trace is closed at once; its further telemetry is forwarded, not judged")
    .default("16MiB"),
  late_bytes: size().describe("Memory for closed traces that wait for late spans").default("64MiB"),
});
