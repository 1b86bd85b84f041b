import { isArray, isObject, type JsonValue, parseJson, textOrJson } from "../../model/json.ts";
import {
  listNode,
  mapNode,
  scalarNode,
  type DocumentNode,
  type MapEntry,
  type Place,
} from "../document/node.ts";
import type { Cell, TableRow } from "./read-table.ts";

/** Matches `{name}` of a column, which can contain spaces. Excludes `\{` and regular expressions such as `\p{L}`. */
const mark = /(?<!\\|\\[pPx])\{([^{}\r\n]{1,100})\}/g;

/** Matches paths of keys with regular expressions, in which inserted cells are escaped. */
const patternKey = /\/(?:regex|(?:not_)?regex_match|pattern)(?:\/\d+)?$/;

/** How a cell that is the whole value of a key is parsed. */
export type Reading = "text" | "value" | "list";

export interface Filling {
  readonly row: TableRow;
  /** Names that braces can contain: the columns, and `row`. */
  readonly columns: ReadonlySet<string>;
  /** Parsing of a cell that is the whole value of a key, by path of the key. Default: text. */
  readonly readings: ReadonlyMap<string, Reading>;
}

/** Returns the names in braces in a text. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(mark)].map((match) => match[1] ?? "");
}

/** Returns the column if the text is exactly one, such as `{answer}`; otherwise undefined. */
export function onlyName(text: string): string | undefined {
  const names = namesIn(text);
  return names.length === 1 && text === `{${names[0] ?? ""}}` ? names[0] : undefined;
}

/**
 * Replaces each `{column}` in a block by the cell of a row. Removes a key or list item whose whole value is an empty cell, and a list
 * of only such items; undefined if the whole block is an empty cell.
 */
export function fillRow(node: DocumentNode, filling: Filling, path = ""): DocumentNode | undefined {
  if (node.kind === "list") {
    const items = node.items.flatMap((item, index) => fillRow(item, filling, `${path}/${index}`) ?? []);
    // An empty list can be an assertion: `expected_tools: []` means "no tools".
    return items.length === 0 && node.items.length > 0 ? undefined : listNode(node.at, items);
  }
  if (node.kind === "map") {
    const entries = new Map<string, MapEntry>();
    for (const [key, entry] of node.entries) {
      const filled = fillRow(entry.node, filling, `${path}/${key}`);
      if (filled === undefined) continue;
      // A problem of a value from the row is reported at its cell.
      entries.set(key, {
        keyAt: filled === entry.node || filled.kind === "map" ? entry.keyAt : filled.at,
        node: filled,
      });
    }
    return [...entries].every(([key, { node: now }]) => now === node.entries.get(key)?.node) &&
      entries.size === node.entries.size
      ? node
      : mapNode(node.at, entries);
  }
  return typeof node.value === "string" ? fillText(node.value, node, filling, path) : node;
}

function fillText(
  text: string,
  node: DocumentNode,
  { row, columns, readings }: Filling,
  path: string,
): DocumentNode | undefined {
  const only = onlyName(text);
  if (only !== undefined && columns.has(only)) {
    const cell = cellOf(row, only);
    return cell.value === null
      ? undefined
      : nodeOf(readAs(cell.value, readings.get(path) ?? "text"), cell.at);
  }
  const isPattern = patternKey.test(path);
  let at: Place | undefined;
  const filled = text.replaceAll(mark, (whole, name: string) => {
    if (!columns.has(name)) return whole;
    const cell = cellOf(row, name);
    at ??= cell.at;
    return isPattern ? escaped(textOf(cell.value)) : textOf(cell.value);
  });
  return at === undefined ? node : scalarNode(at, filled, false);
}

/**
 * Returns a cell of the row. The cell's value is null if a JSON line lacks the column; for the column `row` it is the number of the row.
 */
function cellOf(row: TableRow, name: string): Cell {
  const found = row.cells.get(name);
  if (found !== undefined) return found;
  return { column: name, value: name === "row" ? row.number : null, at: row.at };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function textOf(value: JsonValue): string {
  return value === null ? "" : textOrJson(value);
}

/**
 * Parses the text of a cell by `reading`. As a value, a text that is not JSON stays text. As a list, a text that is not a JSON list is
 * split at semicolons and line breaks.
 */
export function readAs(value: JsonValue, reading: Reading): JsonValue {
  if (typeof value !== "string" || reading === "text") return value;
  const json = jsonIn(value);
  if (reading === "value") return json ?? value;
  if (isArray(json)) return json;
  return value
    .split(/[;\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function jsonIn(text: string): JsonValue | undefined {
  // Spreadsheets export truth values in capital letters.
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return /^(?:-?\d|\[|\{)/.test(text) ? parseJson(text) : undefined;
}

/** Converts a value of a table into a document node, whose parts all have the cell's position. */
export function nodeOf(value: JsonValue, at: Place): DocumentNode {
  if (isArray(value))
    return listNode(
      at,
      value.map((item) => nodeOf(item, at)),
    );
  if (isObject(value)) {
    return mapNode(
      at,
      new Map(Object.entries(value).map(([key, item]) => [key, { keyAt: at, node: nodeOf(item, at) }])),
    );
  }
  return scalarNode(at, value, false);
}
