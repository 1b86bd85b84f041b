import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "../../src/model/outcome.ts";
import type { ResultJson } from "../../src/report/json/verdict-schema.ts";
import { testDumps } from "../../src/interfaces/library/test-dumps.ts";

/*
 * `npm run long -- failed-runs FOLDER`: judges every recording below FOLDER (a folder with `traces.jsonl`, maybe `logs.jsonl`, and
 * `expected.json`) that truly ended in an error, or whose process died, by a spec with path and cost rules only. Prints a table of
 * outcomes by status and scenario; exit 1 when a verdict is `pass` or `warn`, or a recording gave none.
 */

const spec = `agent: "*"
queries:
  - query: "*"
    path: { max_tool_calls: 50, max_loops: 20, forbidden_tools: [drop_tables] }
    cost: { max_total_tokens: 1000000, max_llm_calls: 100, max_latency_ms: 3600000, max_cost_usd: 100 }
`;

interface Recording {
  readonly name: string;
  readonly files: readonly string[];
  readonly status: string;
  readonly scenario: string;
}

interface Truth {
  readonly status?: string;
  readonly scenario?: string;
  readonly runs?: readonly { readonly status: string }[];
}

/** The recordings below a folder of which a run did not end well. */
function failedBelow(folder: string, name = ""): readonly Recording[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): readonly Recording[] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return failedBelow(path, `${name}${entry.name}/`);
    if (entry.name !== "expected.json") return [];
    const truth = JSON.parse(readFileSync(path, "utf8")) as Truth;
    const statuses = truth.runs?.map((run) => run.status) ?? [truth.status ?? ""];
    const status = statuses.find((one) => one === "error" || one === "killed");
    if (status === undefined) return [];
    const files = ["traces.jsonl", "logs.jsonl"].map((file) => join(folder, file)).filter(existsSync);
    return [{ name: name.slice(0, -1), files, status, scenario: truth.scenario ?? "" }];
  });
}

async function outcomesOf({ files }: Recording, specFile: string): Promise<readonly Outcome[]> {
  const { verdicts }: ResultJson = await testDumps(files, { specs: [specFile], judge: "off" });
  return verdicts.map(({ outcome }) => outcome);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: npm run long -- failed-runs FOLDER");
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), "failed-runs-"));
const specFile = join(work, "spec.yaml");
writeFileSync(specFile, spec);
const rows = new Map<string, Map<string, number>>();
const wrong: string[] = [];
try {
  for (const recording of failedBelow(folder)) {
    const outcomes = await outcomesOf(recording, specFile);
    if (outcomes.length === 0) wrong.push(`${recording.name}: no verdict`);
    if (outcomes.includes("pass") || outcomes.includes("warn"))
      wrong.push(`${recording.name}: ${outcomes.join(", ")}`);
    const key = `${recording.status.padEnd(8)} ${recording.scenario.replace(/--.*/, "")}`;
    const row = rows.get(key) ?? new Map<string, number>();
    const cell = [...outcomes].sort().join(" + ");
    rows.set(key, row.set(cell, (row.get(cell) ?? 0) + 1));
  }
} finally {
  rmSync(work, { recursive: true });
}
for (const [key, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${key.padEnd(36)} ${[...row].map(([cell, count]) => `${cell}: ${count}`).join(", ")}`);
for (const line of wrong) console.log(`WRONG ${line}`);
process.exitCode = wrong.length === 0 && rows.size > 0 ? 0 : 1;
