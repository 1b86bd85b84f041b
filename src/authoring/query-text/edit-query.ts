import { isMap, isNode, parseDocument } from "yaml";
import type { JsonValue } from "../../model/json.ts";

/** Path of a key in a query, and its new value. A value of undefined removes the key. */
export interface QueryEdit {
  readonly path: readonly string[];
  readonly value: JsonValue | undefined;
}

/**
 * Returns the text of a spec after keys of the query at index `at` were changed. Comments are preserved.
 * Returns null if the query is not a map in this text.
 */
export function editQuery(text: string, at: number, edits: readonly QueryEdit[]): string | null {
  const document = parseDocument(text, { keepSourceTokens: true });
  if (document.errors.length > 0 || !isMap(document.getIn(["queries", at], true))) return null;
  try {
    for (const { path, value } of edits) {
      const place = ["queries", at, ...path];
      if (value === undefined) document.deleteIn(place);
      else document.setIn(place, value);
    }
  } catch {
    // The document throws an error if a part of the path is a scalar or an alias.
    return null;
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: text.includes("{ ") });
}

/** Returns the lines of the query at index `at`. Returns null if the text does not contain the query. */
export function writtenQuery(text: string, at: number): string | null {
  const node = parseDocument(text).getIn(["queries", at], true);
  if (!isNode(node) || node.range == null) return null;
  const [start, end] = node.range;
  return `${text.slice(text.lastIndexOf("\n", start - 1) + 1, end).trimEnd()}\n`;
}
