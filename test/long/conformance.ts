import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue, idsIn, type Requirement } from "../conformance/catalogue.ts";

/* npm run conformance: runs every test that carries an id of the catalogue and writes docs/conformance.md. */

interface Assertion {
  readonly fullName: string;
  readonly status: string;
}

const folder = mkdtempSync(join(tmpdir(), "tracejury-conformance-"));
const output = join(folder, "results.json");
const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name))
  .filter((path) => idsIn(readFileSync(path, "utf8")).length > 0);
const words = [
  "vitest",
  "run",
  ...files,
  "-t",
  "\\b[CA]\\d\\d\\b",
  "--reporter=json",
  `--outputFile=${output}`,
];
spawnSync("npx", words, { stdio: ["ignore", "inherit", "inherit"] });
const { testResults }: { testResults: { assertionResults: Assertion[] }[] } = JSON.parse(
  readFileSync(output, "utf8"),
);
rmSync(folder, { recursive: true });

const byId = new Map<string, Assertion[]>();
for (const assertion of testResults.flatMap(({ assertionResults }) => assertionResults)) {
  if (assertion.status === "skipped" || assertion.status === "pending") continue;
  for (const id of new Set(idsIn(assertion.fullName))) byId.set(id, [...(byId.get(id) ?? []), assertion]);
}

writeFileSync("docs/conformance.md", page());
const failed = [...byId].filter(([, tests]) => tests.some(({ status }) => status !== "passed"));
console.log(`${byId.size} of ${catalogue.length} requirements have tests; ${failed.length} fail`);
process.exitCode = failed.length === 0 ? 0 : 1;

function page(): string {
  return `# Conformance

What is required of an OTLP collector that judges, each with the tests that carry its id. \`npm run conformance\` runs them and writes this page;
they are part of \`npm test\` unless the result says otherwise. The last column says where the OpenTelemetry Collector 0.155.0, with its
defaults, answered otherwise when it was measured with the same bytes.

| id | requirement | result | OpenTelemetry Collector 0.155 |
|---|---|---|---|
${catalogue.map(row).join("\n")}
`;
}

function row(requirement: Requirement): string {
  const { id, what, collector = "" } = requirement;
  return `| ${id} | ${what} | ${result(requirement)} | ${collector} |`;
}

function result({ id, elsewhere }: Requirement): string {
  const tests = byId.get(id) ?? [];
  const failing = tests.filter(({ status }) => status !== "passed").length;
  if (tests.length === 0) return elsewhere ?? "not tested";
  const count = `${tests.length} ${tests.length === 1 ? "test" : "tests"}`;
  return failing > 0 ? `**${failing} of ${count} fail**` : `holds, ${count}`;
}
