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
    name: "redirects that would carry keys along, stores that do not end, keys and state files that lead out of the folder",
    tests: ["test/security/redirects.test.ts", "test/pull/endless-stores.test.ts"],
  },
  {
    name: "files of specs that lead out of their folder, links and pipes among them",
    tests: ["test/security/confined.test.ts", "test/security/files-outside.test.ts"],
  },
  {
    name: "score servers that answer anything",
    tests: ["test/export/hostile-score-backends.test.ts"],
  },
  {
    name: "JSON in texts beyond its bounds; numbers that cannot be",
    tests: [
      "test/model/json-text.test.ts",
      "test/evaluate/excessive-json.test.ts",
      "test/dump/impossible-numbers.test.ts",
    ],
  },
  {
    name: "texts that become queries, formulas or hide what they are",
    tests: [
      "test/authoring/literal-query.test.ts",
      "test/render/csv-formulas.test.ts",
      "test/security/hidden-characters.test.ts",
    ],
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
