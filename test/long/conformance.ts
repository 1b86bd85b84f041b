import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue, type Elsewhere, idsIn, type Requirement } from "../conformance/catalogue.ts";

/*
 * npm run conformance: runs every test that carries an id of the catalogue, and the scripts that show the rest, and writes docs/conformance.md.
 * KAFKA_TOOL names the program that starts a broker (see test/long/kafka); without it what needs one is not run, and the page says so.
 */

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

/** By command: what it ended with; null when it could not be run. */
const scripts = new Map<string, number | null>();
for (const { elsewhere } of catalogue) {
  if (elsewhere !== undefined) scripts.set(elsewhere.command, runScript(elsewhere));
}

writeFileSync("docs/conformance.md", page());
const holding = catalogue.filter(({ id, elsewhere }) =>
  elsewhere === undefined ? hold(byId.get(id) ?? []) : scripts.get(elsewhere.command) === 0,
);
const unseen = catalogue.filter(({ elsewhere }) => elsewhere && scripts.get(elsewhere.command) === null);
const failed = catalogue.filter((one) => !holding.includes(one) && !unseen.includes(one));
const ids = (some: readonly Requirement[]): string => some.map(({ id }) => id).join(" ") || "none";
console.log(`${holding.length} of ${catalogue.length} hold; fail: ${ids(failed)}; not run: ${ids(unseen)}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function hold(tests: readonly Assertion[]): boolean {
  return tests.length > 0 && tests.every(({ status }) => status === "passed");
}

function runScript({ words, needs }: Elsewhere): number | null {
  if (process.env[needs] === undefined) return null;
  return spawnSync(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] }).status ?? 1;
}

function page(): string {
  return `# Conformance

After this page you know which requirements of an OTLP collector Tracejury meets, and where the
OpenTelemetry Collector 0.155.0 with its defaults differs. Example: for an unknown compression,
Tracejury answers 415 and lists the supported ones (C14); the Collector answers 400.

\`npm run conformance\` runs the tests with these ids and writes this page. The column *tests* has the
number of tests that pass; \`npm test\` runs them, too. Another command is named. If the last column
is empty, the Collector behaves in the same way, or the requirement is Tracejury's own.

| id | requirement | tests | OpenTelemetry Collector 0.155 |
|---|---|---|---|
${catalogue.map(row).join("\n")}
`;
}

function row(requirement: Requirement): string {
  const { id, what, collector = "" } = requirement;
  return `| ${id} | ${what} | ${result(requirement)} | ${collector} |`;
}

function result({ id, elsewhere, longer }: Requirement): string {
  if (elsewhere !== undefined) {
    const { command, needs } = elsewhere;
    const code = scripts.get(command);
    if (code === null) return `not run: \`${command}\`, needs ${needs}`;
    return code === 0 ? `\`${command}\`` : `**fails**: \`${command}\``;
  }
  const tests = byId.get(id) ?? [];
  const failing = tests.filter(({ status }) => status !== "passed").length;
  if (tests.length === 0) return "none";
  if (failing > 0) return `**${failing} of ${tests.length} fail**`;
  return longer === undefined ? String(tests.length) : `${tests.length} ${longer}`;
}
