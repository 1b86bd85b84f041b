import { z } from "zod";
import { duration, size } from "../quantities.ts";

const wait = duration({ max: "7d" });

export const assemble = z.strictObject({
  root_quiet: wait
    .describe("A trace with its root and no gaps is complete when quiet for this long")
    .default("6s"),
  root_open: wait.describe("The same while a parent span is missing").default("15s"),
  root_cap: wait.describe("Longest wait after the root has come").default("60s"),
  idle: wait.describe("A trace without a root is closed when quiet for this long").default("5m"),
  max_age: wait
    .describe(
      "Longest wait after the first span; and the longest pause after which a run goes on, say for an approval",
    )
    .default("60m"),
  conversation_idle: wait
    .describe("A conversation ends after this long without a run; as `idle` when absent")
    .exactOptional(),
  late_window: wait
    .describe("How long a closed trace is kept, to be judged again when spans come late")
    .default("2m"),
  max_spans: z
    .int()
    .min(1)
    .describe("A trace with more spans is closed at once; further spans are not judged, but forwarded")
    .default(32_000),
  max_bytes: size({ min: "1KiB" })
    .describe("A trace that holds more is closed at once; what comes further is not judged, but forwarded")
    .default("16MiB"),
  late_bytes: size().describe("Memory for closed traces that wait for late spans").default("64MiB"),
});
