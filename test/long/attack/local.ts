import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Attacked } from "./attack.ts";

/** Attacks that need no network: on files, locks, programs of specs. Their tests are run beside the collector. */
export const localAttacks: readonly { readonly name: string; readonly tests: readonly string[] }[] = [
  {
    name: "MCP: programs of specs, writes, requests of web pages and without a token",
    tests: ["test/mcp/mcp.test.ts"],
  },
  {
    name: "a store with flipped bits",
    tests: ["test/store/damaged-store.test.ts"],
  },
  {
    name: "a journal and queues with flipped bits",
    tests: ["test/journal/flipped-files.test.ts", "test/collector/damage.test.ts"],
  },
  {
    name: "several processes that take over the lock of one journal",
    tests: ["test/journal/lock.test.ts"],
  },
  {
    name: "user checks that leave processes behind or do not end",
    tests: ["test/cli/user-checks.test.ts"],
  },
];

const root = fileURLToPath(
  new URL(import.meta.url.includes("/dist/test/") ? "../../../../" : "../../../", import.meta.url),
);

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs tests in a process that yields the processor to others; each test counts as a request. */
export async function runTests(tests: readonly string[], folder: string): Promise<Attacked> {
  const file = join(folder, "tests.json");
  const words = [join(root, "node_modules/vitest/vitest.mjs"), "run", ...tests];
  const child = spawn(process.execPath, [...words, "--reporter=json", `--outputFile=${file}`], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (child.pid !== undefined) setPriority(child.pid, 19);
  const [code] = (await once(child, "close")) as [number | null];
  const { numPassedTests, testResults } = JSON.parse(readFileSync(file, "utf8")) as Report;
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed")
    .map(({ fullName }) => fullName);
  if (code !== 0 && failed.length === 0) failed.push(`${tests.join(" ")} ended with ${code}`);
  return { requests: numPassedTests, wrong: failed };
}
