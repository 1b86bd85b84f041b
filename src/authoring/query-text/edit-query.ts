import { isMap, isNode, parseDocument } from "yaml";
import type { JsonValue } from "../../model/json.ts";

/** A key of a query, from the query down, with its new value; undefined removes it. */
export interface QueryEdit {
  readonly path: readonly string[];
  readonly value: JsonValue | undefined;
}

/**
 * A spec's text with keys of its query number `at` set, added or removed in place, comments kept; null where the query is not written in
 * this text, or not as a map.
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
    // A key on the way holds a scalar or an alias.
    return null;
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: text.includes("{ ") });
}

/** The lines of a spec that hold its query number `at`; null where it is not written in this text. */
export function writtenQuery(text: string, at: number): string | null {
  const node = parseDocument(text).getIn(["queries", at], true);
  if (!isNode(node) || node.range == null) return null;
  const [start, end] = node.range;
  return `${text.slice(text.lastIndexOf("\n", start - 1) + 1, end).trimEnd()}\n`;
}
