import type { TestOptions } from "./test.ts";

/** Options of `test` for callers of the library: no agent is started, and no report is written. */
export const replayOnly = {
  output: [],
  onIncomplete: "error",
  onMissing: "error",
  body: "",
  runs: 1,
  workers: 1,
  timeout: 1,
} as const satisfies Partial<TestOptions>;
