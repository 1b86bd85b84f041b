import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { dirname, relative, resolve } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST_WAIT_MS } from "./test/support/eventually.ts";

/** Tests of the pure core: without a process, a server or a browser, they take seconds and are first. */
const core =
  "{architecture.test.ts,{adapters,assemble,baseline,evaluate,match,model,otlp,price,render,runs,spec,statistics}/**/*.test.ts}";

/** Tests that replace a module need modules that no other test has read. */
const replacing = "test/**/*.isolated.test.ts";

/** Of the others, those that take longest: begun last, one of them would go on alone. */
const longest =
  /\/test\/(ui|replay|collector|mcp|docs|bench|chaos|parity|pipeline)\/|\/test\/cli\/(start|workers|resilience|record)\.|\.isolated\./;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

// By default one processor is left idle, which is half of a small machine.
const processors = Math.max(2, availableParallelism());

// Half of the time a file waits for its processes, servers and time limits.
const systemWorkers = Math.min(processors + 1, 6);

/**
 * Most functions run for one file only. Node 20 optimises them after six times as many calls as by default, which takes an eighth less of the
 * processors' time. Later versions have a cheaper compiler before the optimising one, and no such option.
 */
const optimisedLater = process.version.startsWith("v20.") ? ["--interrupt-budget=400000"] : [];

const root = import.meta.dirname;

/** A single run takes what the compiler made of the sources. Watching and coverage want the sources themselves. */
const isCompiled = process.argv.includes("run") && !process.argv.includes("--coverage");
if (isCompiled) {
  const { status } = spawnSync(process.execPath, [resolve(root, "bin/ensure.js"), "--compiled"], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(2);
}

/**
 * Has Node load the compiled sources itself. Vitest would transform each of them for each worker, and call every imported function through a
 * property of a module object.
 */
const compiledSources: Plugin = {
  name: "compiled-sources",
  enforce: "pre",
  resolveId(specifier, importer) {
    if (importer === undefined || !/^\.{1,2}\/.*\.ts$/.test(specifier)) return null;
    const path = relative(root, resolve(dirname(importer), specifier));
    if (!/^(?:src|adapters)\//.test(path) || path.endsWith(".test.ts")) return null;
    return { id: resolve(root, "dist", path.replace(/\.ts$/, ".js")), external: true };
  },
};
const takingCompiled = isCompiled ? { plugins: [compiledSources] } : {};

export default defineConfig({
  test: {
    globalSetup: "test/support/temporary-files.ts",
    sequence: { sequencer: LongestFirst },
    reporters: process.env["CI"]
      ? ["default", ["json", { outputFile: ".vitest/results.json" }]]
      : ["default"],
    server: { deps: { external: [/\/dist\/(?:src|adapters)\//] } },
    // What was transformed is kept for the next run.
    experimental: { fsModuleCache: true },
    // A worker keeps the modules it has read: reading them anew for each file takes longer than most tests do.
    isolate: false,
    // Most of what a test allocates is dead soon: a large young generation is collected seldom. The workers fill all processors, and helper
    // threads of the collector would only take time from another worker.
    execArgv: ["--max-semi-space-size=64", "--single-threaded-gc", ...optimisedLater],
    // Above the limit of each wait in a test: one that fails says what it waited for.
    testTimeout: 5 * LONGEST_WAIT_MS,
    hookTimeout: 5 * LONGEST_WAIT_MS,
    teardownTimeout: LONGEST_WAIT_MS,
    // What is polled costs something, and most of it is asked of a server or a browser.
    expect: { poll: { timeout: LONGEST_WAIT_MS, interval: 40 } },
    projects: [
      {
        extends: true,
        ...takingCompiled,
        test: {
          name: "core",
          include: [`test/${core}`, "adapters/**/*.test.ts"],
          maxWorkers: processors,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        ...takingCompiled,
        test: {
          name: "system",
          globalSetup: "test/support/built-command.ts",
          include: ["test/**/*.test.ts"],
          exclude: ["test/long/**", `test/${core}`, replacing],
          maxWorkers: systemWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "replacing",
          include: [replacing],
          isolate: true,
          // The same group and number of workers as `system`: a group of their own would start when all other files have ended.
          maxWorkers: systemWorkers,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
