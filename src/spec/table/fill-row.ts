import { isArray, isObject, type JsonValue, parseJson } from "../../model/json.ts";
import {
  listNode,
  mapNode,
  scalarNode,
  type DocumentNode,
  type MapEntry,
  type Place,
} from "../document/node.ts";
import type { Cell, TableRow } from "./read-table.ts";

/** `{name}` of a column; names may hold spaces, and the braces of patterns are none. */
const mark = /(?<!\\|\\[pPx])\{([^{}\r\n]{1,100})\}/g;

/** Keys whose text is a regular expression: a cell inside of one stands for its own characters. */
const patternKey = /\/(?:regex|(?:not_)?regex_match|pattern)(?:\/\d+)?$/;

/** How the text of a cell is read where it stands alone. */
export type Reading = "text" | "value" | "list";

export interface Filling {
  readonly row: TableRow;
  /** Names that `{…}` may have: the columns, and `row`. */
  readonly columns: ReadonlySet<string>;
  /** How cells that stand alone are read, by the path of the key; text when absent. */
  readonly readings: ReadonlyMap<string, Reading>;
}

/** The names in braces within a text. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(mark)].map((match) => match[1] ?? "");
}

/** The column that is all of a text: `{answer}`; undefined where it says more. */
export function onlyName(text: string): string | undefined {
  const names = namesIn(text);
  return names.length === 1 && text === `{${names[0] ?? ""}}` ? names[0] : undefined;
}

/**
 * A block with the cells of one row in place of `{column}`. What is nothing but an empty cell is left out, with its key or as an item of a list.
 */
export function fillRow(node: DocumentNode, filling: Filling, path = ""): DocumentNode | undefined {
  if (node.kind === "list") {
    const items = node.items.map((item, index) => fillRow(item, filling, `${path}/${index}`));
    return listNode(
      node.at,
      items.filter((item) => item !== undefined),
    );
  }
  if (node.kind === "map") {
    const entries = new Map<string, MapEntry>();
    for (const [key, entry] of node.entries) {
      const filled = fillRow(entry.node, filling, `${path}/${key}`);
      if (filled === undefined) continue;
      // Problems of a row's values are reported at the row.
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

/** An empty cell where a JSON line leaves the column out. */
function cellOf(row: TableRow, name: string): Cell {
  const found = row.cells.get(name);
  if (found !== undefined) return found;
  return { column: name, value: name === "row" ? row.number : null, at: row.at };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function textOf(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A cell of text, read in another way where that is possible. */
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
  return /^(?:-?\d|true$|false$|\[|\{)/.test(text) ? parseJson(text) : undefined;
}

/** A value of a table as a part of the document, all of it at one place. */
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
