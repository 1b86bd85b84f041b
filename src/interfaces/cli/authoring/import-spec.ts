import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isScalar, parseAllDocuments, parseDocument, visit } from "yaml";
import { importAdk } from "../../../authoring/import/adk.ts";
import { importAgentci } from "../../../authoring/import/agentci.ts";
import { importAgentevals } from "../../../authoring/import/agentevals.ts";
import { importEvalview } from "../../../authoring/import/evalview.ts";
import type { Imported, SourceDocument } from "../../../authoring/import/source.ts";
import { importPromptfoo } from "../../../authoring/import/promptfoo.ts";
import { type ProposedQuery, specText } from "../../../authoring/query-text/spec-text.ts";
import { isLiteral, notLiteral } from "../../../authoring/query-text/literal-query.ts";
import { normaliseText } from "../../../match/rules/normalise.ts";
import { escapeControls } from "../../../support/structures/control-characters.ts";
import { isArray, isObject, type JsonValue } from "../../../model/json.ts";
import { UserError } from "../../../support/process/io.ts";

const importers = {
  agentci: importAgentci,
  evalview: importEvalview,
  promptfoo: importPromptfoo,
  adk: importAdk,
  agentevals: importAgentevals,
} satisfies Record<string, (documents: readonly SourceDocument[]) => Imported>;
export type ImportKind = keyof typeof importers;

export interface ImportedSpecs {
  readonly specs: readonly { readonly agent: string; readonly text: string }[];
  /** Parts of the file that were not converted. Parts that may change a verdict come first. */
  readonly left: readonly string[];
}

/**
 * Converts a file of another tool, or all files of that tool in a folder, into specs.
 * @throws UserError if no file can be converted
 */
export function importSpec(kind: ImportKind, path: string, agent: string): ImportedSpecs {
  const files = [...filesOf(path), ...criteriaBeside(kind, path)];
  const documents = files.flatMap(({ file, text }) =>
    documentsOf(file, text).map((value) => ({ place: files.length > 1 ? basename(file) : "", value })),
  );
  const [first] = files;
  const whole = documents[0]?.value;
  if (kind === "agentci" && first !== undefined && isObject(whole) && isArray(whole["queries"])) {
    const name = whole["agent"];
    const others = files
      .slice(1)
      .map(({ file }) => `${basename(file)} (import each file with \`queries\` alone)`);
    return {
      specs: [{ agent: typeof name === "string" ? name : agent, text: withoutNulls(first.text) }],
      left: others,
    };
  }
  const imported = importers[kind](documents);
  const asking = imported.queries.filter(hasQuestion);
  const mute = imported.queries.length - asking.length;
  const literal = asking.filter(({ query: { query: text } }) => typeof text === "string" && isLiteral(text));
  const { queries, repeated } = onceEach(literal);
  const left = [...new Set([...imported.left, ...repeated])];
  if (mute > 0) left.push(`${mute} of ${imported.queries.length} tests without a query`);
  if (literal.length < asking.length)
    left.push(`${asking.length - literal.length} tests with the query "*": ${notLiteral}`);
  if (queries.length === 0) {
    const why = left.length === 0 ? "" : `; not converted: ${left.slice(0, 5).join(", ")}`;
    throw new UserError(`${path} has no test of ${kind} that can become a query${why}`);
  }
  const remarks = [`Made from ${path}, a file of ${kind}.`];
  const reported = importantFirst(left);
  if (reported.length > 0) remarks.push("Not converted:", ...reported.map((one) => `- ${one}`));
  const name = imported.agent ?? agent;
  const text = specText(name, queries, remarks);
  const root = Object.entries(imported.root).map(
    ([key, value]) => `${key}: ${escapeControls(JSON.stringify(value))}\n`,
  );
  return {
    specs: [{ agent: name, text: text.replace(/^queries:$/m, () => `${root.join("")}queries:`) }],
    left: reported,
  };
}

/** Keys whose values are data. A null in these values is data, too, and is not removed. */
const DATA_KEYS: ReadonlySet<unknown> = new Set(["arguments", "json_schema", "where"]);

/** Removes keys with null from a spec of AgentCI, which treats null as not set. Tracejury does not accept such keys in a spec. */
function withoutNulls(text: string): string {
  const document = parseDocument(text);
  let isChanged = false;
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isScalar(key) && DATA_KEYS.has(key.value)) return visit.SKIP;
      if (value !== null && !(isScalar(value) && value.value === null)) return undefined;
      isChanged = true;
      return visit.REMOVE;
    },
  });
  return isChanged ? document.toString() : text;
}

/** Matches keys that cannot change a verdict: they describe a test, or how the agent is run. */
const descriptive =
  /\.(?:description|comment|notes?|author|owner|tags?|metadata|metric|model|providers?|adapter(?:_config)?|endpoint|env|vars|(?:(?:eval|invocation|eval_?set)_?)?id|creation_?timestamp)(?:$|[.[ ])/i;

/**
 * Returns lines about the parts that were not converted: one line for each part that may change a verdict, then one line for all other
 * parts.
 */
function importantFirst(left: readonly string[]): readonly string[] {
  const others = left.filter((one) => descriptive.test(one));
  const important = left.filter((one) => !others.includes(one));
  if (others.length === 0) return important;
  const keys = others.length === 1 ? "1 key" : `${others.length} keys`;
  return [...important, `${keys} without effect on a verdict: ${others.join(", ")}`];
}

/**
 * Returns one query for each text, because a spec can have only one query with a text. If several tests have the same text, uses the first.
 */
function onceEach(asking: readonly ProposedQuery[]): {
  readonly queries: readonly ProposedQuery[];
  readonly repeated: readonly string[];
} {
  const first = new Map<string, ProposedQuery>();
  const repeated: string[] = [];
  for (const one of asking) {
    const { query: text, description } = one.query;
    const key = typeof text === "string" ? normaliseText(text) : "";
    if (first.has(key)) {
      const name = typeof description === "string" ? description : "a test";
      repeated.push(`${name} (has the same query as another test: ${JSON.stringify(text)})`);
    } else first.set(key, one);
  }
  return { queries: [...first.values()], repeated };
}

function hasQuestion({ query }: ProposedQuery): boolean {
  return typeof query["query"] === "string" && query["query"].trim() !== "";
}

/**
 * Returns ADK's criteria file from the folder of the imported file. Returns an empty list for other tools, for a folder, or if there is no
 * such file.
 */
function criteriaBeside(kind: ImportKind, path: string): ReturnType<typeof filesOf> {
  const beside = join(dirname(path), "test_config.json");
  const isRead = kind !== "adk" || basename(path) === "test_config.json" || statSync(path).isDirectory();
  return isRead || !existsSync(beside) ? [] : filesOf(beside);
}

function filesOf(path: string): readonly { readonly file: string; readonly text: string }[] {
  try {
    const files = statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => /\.(ya?ml|json)$/.test(name))
          .sort()
          .map((name) => join(path, name))
      : [path];
    return files.map((file) => ({ file, text: readFileSync(file, "utf8") }));
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Parses the documents of a YAML or JSON file. The YAML parser also reads JSON. */
function documentsOf(file: string, text: string): readonly JsonValue[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (!("errors" in document)) return [];
    const [error] = document.errors;
    if (error !== undefined) throw new UserError(`${file}: ${error.message}`);
    const value = document.toJS({ maxAliasCount: 100 }) as JsonValue | undefined;
    return value === undefined || value === null ? [] : [value];
  });
}
