import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/*
 * Writes docs/dialects.md from the recordings in test/fixtures/recordings and from adapters/. For each
 * producer, the page lists the recorded versions, the facts that its telemetry lacks, and the facts that
 * Tracejury does not read.
 */

const recordings = "test/fixtures/recordings";

const head = `<!-- Made from test/fixtures/recordings and adapters/ by npm run generate. -->

# Dialects: which instrumentations Tracejury reads

After this page you know whether Tracejury reads your instrumentation, which versions were recorded,
and which facts the telemetry lacks. Example: \`langchain-genai\` without content loses the query, the
answer, and the arguments and results of tools.

Tracejury reads an instrumentation that is not listed by the form of its names and values. To
describe your own attributes, use \`dialects\` in the configuration ([runs.md](runs.md)).

## By producer

A producer is an agent library together with an instrumentation. A row is based on recordings of the
named packages, and on a description of the recorded runs that was written by hand. Tracejury reads
query, answer, agents, tools with arguments, results and errors, hand-offs, model calls, tokens,
cached and reasoning tokens, models and status, with the exceptions of the last two columns:

- *Lost*: the telemetry does not contain the fact, so the fact is unknown.
- *Not read*: the telemetry contains the fact, but Tracejury does not read it yet.

The brackets behind facts name the recordings to which the exception applies. An exception without
brackets applies to all recordings of its row.

| producer | versions | recordings | lost | not read |
|---|---|---|---|---|
`;

const middle = `
## By dialect

A dialect is one notation of GenAI telemetry, and has one adapter. The tests read fixtures of the
listed versions. A fixture that is called "documented" was not recorded: it follows the producer's
source code or documentation.

| dialect | producers | fixtures of | lost |
|---|---|---|---|
`;

export function renderDialects(): string {
  return (
    head +
    foldersOf(recordings).map(producerRow).join("") +
    middle +
    foldersOf("adapters").map(dialectRow).join("")
  );
}

function producerRow(folder: string): string {
  const path = join(recordings, folder);
  const versions = Object.entries(readJson<Record<string, string>>(join(path, "versions.json"), {}))
    .filter(([name]) => !/^(?:node|python|java)$/.test(name))
    .map(([name, version]) => `${name} ${version}`);
  const scenarios = foldersOf(path);
  const known = readJson<Record<string, Record<string, string>>>(join(path, "differences.json"), {});
  const why = (reason: "lost" | "open"): string => {
    const byField = new Map<string, string[]>();
    for (const [scenario, fields] of Object.entries(known)) {
      for (const [field, said] of Object.entries(fields)) {
        if ((said === "not in the telemetry") === (reason === "lost"))
          byField.set(field, [...(byField.get(field) ?? []), scenario]);
      }
    }
    const byPlace = new Map<string, string[]>();
    for (const [field, where] of byField) {
      const place = placeIn(where, scenarios.length);
      byPlace.set(place, [...(byPlace.get(place) ?? []), field.replaceAll("_", " ")]);
    }
    return Array.from(byPlace, ([place, fields]) => `${fields.join(", ")}${place}`).join("; ");
  };
  return row([folder, versions.join(", "), String(scenarios.length), why("lost"), why("open")]);
}

/** Returns the situations in which a fact applies; empty if it applies in all situations. */
function placeIn(where: readonly string[], all: number): string {
  if (where.length === all) return "";
  return where.length > MOST_NAMED ? ` (in ${where.length} of ${all})` : ` (in ${where.join(", ")})`;
}

const MOST_NAMED = 3;

function dialectRow(folder: string): string {
  const readme = readFileSync(join("adapters", folder, "README.md"), "utf8");
  const fixtures = readdirSync(join("adapters", folder, "fixtures"))
    .filter((name) => name.endsWith(".expected.json"))
    .sort()
    .map(
      (name) =>
        readJson<{ source: string }>(join("adapters", folder, "fixtures", name), { source: "" }).source,
    );
  const sources = [...new Set(fixtures)].map((source) => source.replace(/^recorded: /, ""));
  return row([
    `[\`${folder}\`](../adapters/${folder}/README.md)`,
    paragraph(readme, "Producers"),
    sources.join("; "),
    paragraph(readme, "What is lost"),
  ]);
}

/** Returns the README paragraph that begins with a bold name, as one line. */
function paragraph(readme: string, name: string): string {
  const text = new RegExp(`\\*\\*${name}\\.\\*\\*\\s+([\\s\\S]+?)\\n\\s*(?:\\n|$)`).exec(readme)?.[1] ?? "";
  return text
    .replace(/\s+/g, " ")
    .replaceAll("](../../docs/", "](")
    .replaceAll("](../", "](../adapters/")
    .replaceAll("|", "\\|");
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function foldersOf(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function readJson<Content>(path: string, absent: Content): Content {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Content) : absent;
}
