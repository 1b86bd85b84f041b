import type { TestOptions } from "./test.ts";

/** The options of `test` for programs that have dumps judged: no agent is called, and no report goes to a file. */
export const replayOnly = {
  output: [],
  onIncomplete: "error",
  onMissing: "error",
  body: "",
  runs: 1,
  workers: 1,
  timeout: 1,
} as const satisfies Partial<TestOptions>;
