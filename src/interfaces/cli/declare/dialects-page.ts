import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/*
 * Writes docs/dialects.md from the recordings in test/fixtures/recordings and from adapters/. For each producer, the page lists the
 * recorded versions, the facts that are not in its telemetry, and the facts in its telemetry that Tracejury does not read.
 */

const recordings = "test/fixtures/recordings";

/** Names for groups of facts that are usually missing together. The largest group is first. */
const groups = {
  "tool calls": ["tools", "tool arguments", "tool results", "tool errors", "tool agents"],
  content: ["query", "answer", "tool arguments", "tool results"],
  agents: ["agent", "final agent", "tool agents"],
  tokens: ["input tokens", "output tokens", "total tokens"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const head = `<!-- Made from test/fixtures/recordings and adapters/ by npm run generate. -->

# Dialects: which instrumentations Tracejury reads

After this page you know whether Tracejury reads your instrumentation, which versions were recorded,
and which facts the telemetry lacks. Example: one recording of LangChain was made while the
recording of content was switched off.

\`\`\`sh
tracejury inspect test/fixtures/recordings/langchain-genai/one--no-content/traces.jsonl | tee run.txt
grep -q '2 model calls · 444 tokens' run.txt
grep -q 'unknown query: the run has no texts at all: switch on the recording of content' run.txt
\`\`\`

In the table "By producer", this recording is \`one--no-content\` in the row \`langchain-genai\`.

Tracejury also reads instrumentations that are not listed, by the names of their attributes. To
describe your own attributes, use \`dialects\` in the configuration ([runs.md](runs.md)).

## By producer

A producer is an agent library together with an instrumentation. From each producer, Tracejury reads
query, answer, agents, tool calls, hand-offs, model calls, tokens, cached and reasoning tokens,
models and status. The columns list the exceptions; an empty cell means that there is none:

- *lost*: the telemetry does not contain the fact, so Tracejury reports the fact as unknown;
- *not read*: the telemetry contains the fact, but Tracejury does not read the fact yet.

Brackets name or count the recordings to which an exception applies; they refer to all facts since
the previous semicolon. Without brackets, the exception applies to all recordings of the row.
*Models* are the requested models, *response models* the models that answered, and *runs* is the
number of runs. Four words abbreviate several facts:

| word | facts |
|---|---|
${Object.entries(groups)
  .map(([word, fields]) => `| ${word} | ${fields.join(", ")} |\n`)
  .join("")}
\`versions.json\` in a producer's folder of \`test/fixtures/recordings\` lists all versions, including
Node or Python and the OpenTelemetry SDK. [The page of the
recordings](../test/fixtures/recordings/README.md) describes how the ground truth for this
comparison was established.

| producer | versions | recordings | lost | not read |
|---|---|---|---|---|
`;

const middle = `
## By dialect

A dialect is one notation of GenAI telemetry, and has one adapter. The page of an adapter also lists
which facts the telemetry of its producers lacks, and where its test fixtures are from.

| dialect | producers |
|---|---|
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
    .filter(([name]) => !/^(?:node|python|java|@?opentelemetry[-/]sdk.*)$/.test(name))
    .map(([name, version]) => `${name} ${version}`);
  const scenarios = foldersOf(path);
  const known = readJson<Record<string, Record<string, string>>>(join(path, "differences.json"), {});
  const why = (reason: "lost" | "open"): string => {
    const byField = new Map<string, string[]>();
    for (const [scenario, fields] of Object.entries(known)) {
      for (const [field, difference] of Object.entries(fields)) {
        if ((difference === "not in the telemetry") === (reason === "lost"))
          byField.set(field, [...(byField.get(field) ?? []), scenario]);
      }
    }
    const byPlace = new Map<string, string[]>();
    for (const [field, where] of byField) {
      const place = placeIn(where, scenarios.length);
      byPlace.set(place, [...(byPlace.get(place) ?? []), field.replaceAll("_", " ")]);
    }
    return Array.from(byPlace, ([place, fields]) => `${grouped(fields).join(", ")}${place}`).join("; ");
  };
  return row([folder, versions.join(", "), String(scenarios.length), why("lost"), why("open")]);
}

/** If a list contains all facts of a group, replaces these facts by the name of the group. */
function grouped(fields: readonly string[]): readonly string[] {
  return Object.entries(groups).reduce<readonly string[]>(
    (left, [word, group]) =>
      group.every((field) => left.includes(field))
        ? [word, ...left.filter((field) => !(group as readonly string[]).includes(field))]
        : left,
    fields,
  );
}

/** Returns the situations in which a fact is missing. Returns an empty text if the fact is missing in all situations. */
function placeIn(where: readonly string[], all: number): string {
  if (where.length === all) return "";
  return where.length > MOST_NAMED ? ` (in ${where.length} of ${all})` : ` (in ${where.join(", ")})`;
}

const MOST_NAMED = 3;

function dialectRow(folder: string): string {
  const readme = readFileSync(join("adapters", folder, "README.md"), "utf8");
  return row([`[\`${folder}\`](../adapters/${folder}/README.md)`, paragraph(readme, "Producers")]);
}

/** Returns the paragraph of a README that begins with a bold name, as one line. */
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
