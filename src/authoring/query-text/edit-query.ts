import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLSeq,
} from "yaml";
import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import type { JsonValue } from "../../model/json.ts";

/** Path of a key in a query, and its new value. A value of undefined removes the key. */
export interface QueryEdit {
  readonly path: readonly string[];
  readonly value: JsonValue | undefined;
}

/**
 * Returns the index at which the text of a spec contains a query, in its list `queries`. A table in this list is one item with many queries.
 * Returns null if a table defines the query, or if the items of the list are not the queries, for example because a file is included.
 */
export function writtenIndex(
  text: string,
  queries: readonly Pick<CompiledQuery, "row">[],
  query: Pick<CompiledQuery, "row">,
): number | null {
  const list = parseDocument(text).get("queries", true);
  if (!isSeq(list)) return null;
  const items = [...list.items.keys()].filter((at) => !isTable(list.items[at]));
  const written = queries.filter(({ row }) => row === undefined);
  if (items.length !== written.length) return null;
  return items[written.indexOf(query)] ?? null;
}

function isTable(item: unknown): boolean {
  return isMap(item) && item.has("queries_from");
}

/**
 * Returns the text of a spec after keys of the query at index `at` were changed. Comments are preserved, and the text before and after the
 * query stays as it is. Returns null if the query is not a map in this text.
 */
export function editQuery(text: string, at: number, edits: readonly QueryEdit[]): string | null {
  const document = parseDocument(text, { keepSourceTokens: true });
  if (document.errors.length > 0 || !isMap(document.getIn(["queries", at], true))) return null;
  preservePadding(document, text);
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
  const lines = document.toString({
    lineWidth: 0,
    flowCollectionPadding: text.includes("{ "),
    indentSeq: !/^queries:[^\S\n]*(?:#[^\n]*)?\r?\n(?:[^\S\n]*(?:#[^\n]*)?\r?\n)*-/mu.test(text),
  });
  const edited = text.includes("\r\n") ? lines.replaceAll(/\r?\n/gu, "\r\n") : lines;
  return replaceQuery(text, edited, at) ?? edited;
}

type PrintContext = Parameters<YAMLSeq["toString"]>[0];

/** Lets each list and map in flow style keep its spaces inside the brackets, which YAML would otherwise make the same in the whole document. */
function preservePadding(document: Document, text: string): void {
  visit(document, {
    Collection(_key, node) {
      if (node.flow !== true || node.range == null) return;
      const flowCollectionPadding = /\s/u.test(text.charAt(node.range[0] + 1)) ? " " : "";
      const print = node.toString.bind(node);
      node.toString = (context?: PrintContext, ...rest) =>
        print(context && { ...context, flowCollectionPadding }, ...rest);
    },
  });
}

/** Returns `text` with the query at index `at` of `edited`. Returns null if the two texts do not have the query in the same column. */
function replaceQuery(text: string, edited: string, at: number): string | null {
  const from = queryPlace(text, at);
  const to = queryPlace(edited, at);
  if (from === null || to?.column !== from.column) return null;
  const result = text.slice(0, from.start) + edited.slice(to.start, to.end) + text.slice(from.end);
  const isSame =
    JSON.stringify(parseDocument(result).toJS()) === JSON.stringify(parseDocument(edited).toJS());
  return isSame ? result : null;
}

/** Offsets of a query in the text of its spec, without the white space behind the query. */
function queryPlace(text: string, at: number): { start: number; end: number; column: number } | null {
  const lineCounter = new LineCounter();
  const node = parseDocument(text, { lineCounter }).getIn(["queries", at], true);
  if (!isCollection(node) || node.range == null) return null;
  const [start, , nodeEnd] = node.range;
  return {
    start,
    end: start + text.slice(start, nodeEnd).trimEnd().length,
    column: lineCounter.linePos(start).col,
  };
}

/** Returns the lines of the query at index `at`. Returns null if the text does not contain the query. */
export function writtenQuery(text: string, at: number): string | null {
  const node = parseDocument(text).getIn(["queries", at], true);
  if (!isNode(node) || node.range == null) return null;
  const [start, end] = node.range;
  return `${text.slice(text.lastIndexOf("\n", start - 1) + 1, end).trimEnd()}\n`;
}
