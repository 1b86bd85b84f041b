import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST_WAIT_MS } from "./test/support/eventually.ts";

/** Tests that mostly wait for processes and browsers: begun last, one of them would go on alone. */
const longest = /\/test\/(chaos|docs|ui|mcp|e2e|serve|runner|render)\//;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "adapters/**/*.test.ts"],
    exclude: ["test/long/**", "**/node_modules/**"],
    globalSetup: "test/support/temporary-files.ts",
    // Above that of every wait in it: a test that fails says what it waited for.
    testTimeout: 5 * LONGEST_WAIT_MS,
    hookTimeout: 5 * LONGEST_WAIT_MS,
    expect: { poll: { timeout: LONGEST_WAIT_MS, interval: 10 } },
    // A worker keeps the modules it has read: reading them anew for each file takes longer than most tests do.
    isolate: false,
    // By default one processor is left idle, which is half of a small machine.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    reporters: process.env["CI"]
      ? ["default", ["json", { outputFile: ".vitest/results.json" }]]
      : ["default"],
  },
});
