import { checks } from "../../evaluate/checks/registry.ts";
import { namesIn, withEscapes } from "../../evaluate/rules/variables.ts";
import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { layers } from "../../model/outcome.ts";
import type { QueryEdit } from "./edit-query.ts";

/** Message for a run's text that cannot be written as `query:` or `agent:` of a spec. */
export const notLiteral = 'in a spec, "*" matches any text, so no query can match this text alone';

/**
 * Whether a spec reads a text literally: every text except a lone `*`, which matches anything. Senders of
 * telemetry choose the text, so a text that is not literal must not be written into a spec.
 */
export function isLiteral(text: string): boolean {
  return text.trim() !== "*";
}

/**
 * Returns the first name in braces, such as `{name}`, that the values of the edits contain and that is a
 * variable of the spec. Returns undefined if there is none.
 */
export function variableIn(edits: readonly QueryEdit[], variables: ReadonlySet<string>): string | undefined {
  const texts = JSON.stringify(edits.map(({ value }) => value ?? null));
  return [...variables].find((name) => texts.includes(`{${name}}`));
}

const textKeys: ReadonlySet<string> = new Set(
  checks.flatMap(({ key, judged }) => (judged === true ? [] : [key])),
);
const none: ReadonlySet<string> = new Set();

/**
 * Returns a query in whose checks braces are literal text. Names that the query's own pattern captures remain
 * variables.
 */
export function withLiteralBraces(query: JsonObject): JsonObject {
  const { match } = query;
  const pattern = isObject(match) ? match["pattern"] : undefined;
  const names = typeof pattern === "string" ? namesIn(pattern) : none;
  return Object.fromEntries(
    Object.entries(query).map(([key, value]) => [key, isLayer(key) ? escapedIn(value, names) : value]),
  );
}

/**
 * Returns the edits with braces as literal text. Check first with `variableIn` that no value contains a
 * variable.
 */
export function editsWithLiteralBraces(edits: readonly QueryEdit[]): readonly QueryEdit[] {
  return edits.map((edit) => {
    const key = edit.path.at(-1) ?? "";
    return edit.value !== undefined && textKeys.has(key)
      ? { ...edit, value: withEscapes(key, edit.value, none) }
      : edit;
  });
}

function escapedIn(block: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (!isObject(block)) return block;
  return Object.fromEntries(
    Object.entries(block).map(([key, value]) => [
      key,
      textKeys.has(key) ? withEscapes(key, value, names) : value,
    ]),
  );
}

function isLayer(key: string): boolean {
  return layers.some((name) => name === key);
}
