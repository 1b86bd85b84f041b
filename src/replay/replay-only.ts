import type { TestOptions } from "./test.ts";

/** Options of `test` for calls by the library. They start no agent and write no report. */
export const replayOnly = {
  output: [],
  onIncomplete: "error",
  onMissing: "error",
  body: "",
  runs: 1,
  workers: 1,
  timeout: 1,
} as const satisfies Partial<TestOptions>;
