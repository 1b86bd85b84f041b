import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue, idsIn, type Requirement } from "../conformance/catalogue.ts";

/*
 * npm run conformance: runs all tests whose name has an id of docs/conformance.md, and the commands in that page. Writes the results into
 * the page. KAFKA_TOOL is the path of a program that starts a broker (see test/long/kafka); without it, the commands that need a broker are
 * not run.
 */

/** An environment variable that the commands need. */
const NEEDS = "KAFKA_TOOL";

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

/** Exit code by command; null if the command could not be run. */
const scripts = new Map<string, number | null>();
for (const { command } of catalogue) {
  if (command !== undefined) scripts.set(command, runScript(command));
}

const page = readFileSync("docs/conformance.md", "utf8");
const rowsById = new Map(catalogue.map((requirement) => [requirement.id, row(requirement)]));
writeFileSync(
  "docs/conformance.md",
  page.replaceAll(/^\| ([CA]\d\d) \|.*$/gm, (line, id: string) => rowsById.get(id) ?? line),
);
const holding = catalogue.filter(({ id, command }) =>
  command === undefined ? hold(byId.get(id) ?? []) : scripts.get(command) === 0,
);
const unseen = catalogue.filter(({ command }) => command !== undefined && scripts.get(command) === null);
const failed = catalogue.filter((one) => !holding.includes(one) && !unseen.includes(one));
const ids = (some: readonly Requirement[]): string => some.map(({ id }) => id).join(" ") || "none";
console.log(
  `${holding.length} of ${catalogue.length} requirements are met; failed: ${ids(failed)}; not run: ${ids(unseen)}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

function hold(tests: readonly Assertion[]): boolean {
  return tests.length > 0 && tests.every(({ status }) => status === "passed");
}

/** Exit code of a command `npm run long -- …`; null without a broker. */
function runScript(command: string): number | null {
  if (process.env[NEEDS] === undefined) return null;
  const words = ["bin/long.js", ...command.replace("npm run long -- ", "").split(" ")];
  return spawnSync(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] }).status ?? 1;
}

function row(requirement: Requirement): string {
  const { id, what, collector } = requirement;
  return `| ${id} | ${what} | ${result(requirement)} | ${collector} |`;
}

function result({ id, command, longer }: Requirement): string {
  if (command !== undefined) {
    const code = scripts.get(command);
    if (code === null) return `not run: \`${command}\`, needs ${NEEDS}`;
    return code === 0 ? `\`${command}\`` : `**fails**: \`${command}\``;
  }
  const tests = byId.get(id) ?? [];
  const failing = tests.filter(({ status }) => status !== "passed").length;
  const count = failing > 0 ? `**${failing} of ${tests.length} fail**` : String(tests.length);
  return longer === "" ? count : `${count} ${longer}`;
}
