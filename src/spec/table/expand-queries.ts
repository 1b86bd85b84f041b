import type { z } from "zod";
import {
  entryOf,
  itemsAt,
  listNode,
  mapNode,
  nodeAt,
  toValue,
  type DocumentNode,
  type MapEntry,
  type MapNode,
  type Place,
} from "../document/node.ts";
import { mergeNodes, withoutEmpty } from "../document/merge.ts";
import { problemAt, type Problem, warningAt } from "../document/problems/problem.ts";
import { folderOf, isAbsolute, isInside, joinPath, type SourceReader } from "../document/source-reader.ts";
import { suggest } from "../document/problems/suggest.ts";
import type { DocumentSource } from "../document/read-document.ts";
import { fillRow, namesIn, nodeOf, onlyName, type Reading, readAs } from "./fill-row.ts";
import { isTableName, readTable, type Table, type TableRow } from "./read-table.ts";

export interface ExpandOptions {
  readonly reader?: SourceReader;
  readonly allowOutside?: boolean;
  /** Layer of each check, by key. A column that has the name of a check, and whose cells no key uses, is probably a mistake. */
  readonly layerOfCheck: ReadonlyMap<string, string>;
  /** Schema of a query. The schema decides whether a cell `3` is read as text or number. */
  readonly schema: z.ZodType;
  /** Keys whose values can contain braces around names that are not columns. */
  readonly opaqueKeys: ReadonlySet<string>;
  /** Keys for which null is a value. */
  readonly keepEmpty: ReadonlySet<string>;
}

export interface Expanded {
  readonly root: DocumentNode;
  readonly problems: readonly Problem[];
  /** Texts of the tables by file name. */
  readonly texts: ReadonlyMap<string, string>;
  /** Names of rows and cells, for messages about queries from a table. */
  readonly cells: CellNames;
}

const key = "queries_from";

/**
 * Replaces each block with `queries_from: FILE` by one query for each row of the file. If `queries_from` is at the root of the document,
 * `defaults` is the block that is filled for each row.
 */
export function expandQueries(root: DocumentNode, source: DocumentSource, options: ExpandOptions): Expanded {
  const expander = new Expander(source, options);
  return {
    root: expander.document(root),
    problems: expander.problems,
    texts: expander.texts,
    cells: expander.cells,
  };
}

/** Names of rows and cells by position, such as "row 3". */
export class CellNames {
  readonly #rows = new Set<string>();
  readonly #names = new Map<string, string>();

  add({ rows, columns }: Table): void {
    for (const row of rows) {
      this.#rows.add(idOf(row.at));
      this.#names.set(idOf(row.at), `row ${row.number}`);
      for (const column of columns) {
        const cell = row.cells.get(column);
        if (cell !== undefined && idOf(cell.at) !== idOf(row.at))
          this.#names.set(idOf(cell.at), `row ${row.number}, column \`${column}\``);
      }
    }
  }

  isRow(place: Place): boolean {
    return this.#rows.has(idOf(place));
  }

  /** Appends the name of the row, or row and column, to the message of a problem in a table. */
  named(problem: Problem): Problem {
    const name = this.#names.get(idOf(problem));
    return name === undefined ? problem : { ...problem, message: `${problem.message} (${name})` };
  }
}

function idOf({ file, line, column }: Pick<Place, "file" | "line" | "column">): string {
  return `${line}:${column}:${file}`;
}

class Expander {
  readonly problems: Problem[] = [];
  readonly texts = new Map<string, string>();
  readonly cells = new CellNames();
  readonly #tables = new Map<string, Table>();
  readonly #options: ExpandOptions;
  readonly #folder: string;
  readonly #realFolder: string;

  constructor(source: DocumentSource, options: ExpandOptions) {
    this.#options = options;
    this.#folder = folderOf(joinPath("", source.file));
    this.#realFolder = folderOf(source.realPath ?? joinPath("", source.file));
  }

  document(root: DocumentNode): DocumentNode {
    if (root.kind !== "map") return root;
    const written = entryOf(root, "queries");
    const atRoot = entryOf(root, key);
    const items = itemsAt(root, "queries");
    if (atRoot === undefined && !items.some((item) => entryOf(item, key))) return root;
    const defaults = nodeAt(root, ["defaults"]);
    const whole: DocumentNode[] =
      atRoot === undefined
        ? []
        : this.#rowsOf(
            mapNode(atRoot.keyAt, new Map([[key, atRoot]])),
            defaults?.kind === "map" ? defaults : undefined,
          );
    const queries = [
      ...whole,
      ...items.flatMap((item) =>
        item.kind === "map" && item.entries.has(key) ? this.#rowsOf(item) : [item],
      ),
    ];
    const entries = new Map(root.entries);
    entries.delete(key);
    const at = written ?? atRoot;
    if (at !== undefined) entries.set("queries", { keyAt: at.keyAt, node: listNode(at.node.at, queries) });
    // The queries from the table already contain `defaults`, so the key is removed.
    if (atRoot !== undefined && items.length === 0) entries.delete("defaults");
    return mapNode(root.at, entries);
  }

  #rowsOf(block: MapNode, defaults?: MapNode): DocumentNode[] {
    const named = block.entries.get(key);
    const path = named?.node.kind === "scalar" ? named.node.value : undefined;
    if (named === undefined || typeof path !== "string" || !isTableName(path)) {
      const hint = `write \`${key}: cases.csv\``;
      const at = named?.node.at ?? block.at;
      this.problems.push(
        problemAt(at, "table/bad-path", `\`${key}\` must be the path of one .csv, .tsv or .jsonl file`, hint),
      );
      return [];
    }
    const table = this.#table(path.trim(), named.node.at);
    if (table === undefined) return [];
    const entries = new Map(block.entries);
    entries.delete(key);
    const rest = mapNode(block.at, entries);
    const template = defaults === undefined ? rest : (mergeNodes(defaults, rest) as MapNode);
    return this.#filled(this.#withOwnColumns(template, table), table, named);
  }

  /** Adds the columns `query` and `id` as keys, unless the block has these keys. */
  #withOwnColumns(template: MapNode, table: Table): MapNode {
    const own = (name: string): [string, MapEntry][] =>
      !template.entries.has(name) && table.columns.includes(name)
        ? [[name, { keyAt: template.at, node: nodeOf(`{${name}}`, template.at) }]]
        : [];
    return mapNode(template.at, new Map([...own("id"), ...own("query"), ...template.entries]));
  }

  #filled(template: MapNode, table: Table, named: MapEntry): DocumentNode[] {
    const columns = new Set([...table.columns, "row"]);
    if (!this.#isComplete(template, table, columns, named)) return [];
    this.problems.push(...this.#unusedChecks(template, table, named));
    const readings = this.#readings(template, table.rows, columns);
    return table.rows.map((row) => {
      const filled = fillRow(template, { row, columns, readings });
      return mapNode(row.at, filled?.kind === "map" ? filled.entries : new Map());
    });
  }

  /**
   * Whether the block has a query text, a different id for each row, and only references to existing columns. Adds a problem for each
   * violation.
   */
  #isComplete(template: MapNode, table: Table, columns: ReadonlySet<string>, named: MapEntry): boolean {
    const before = this.problems.length;
    if (!template.entries.has("query")) {
      const message = `the block has no key \`query\`, and ${table.file} has no column \`query\``;
      this.problems.push(
        problemAt(named.keyAt, "table/no-query", message, `columns: ${table.columns.join(", ")}`),
      );
    }
    const id = template.entries.get("id");
    if (
      id?.node.kind === "scalar" &&
      table.rows.length > 1 &&
      !namesIn(id.node.text).some((name) => columns.has(name))
    )
      this.problems.push(
        problemAt(
          id.node.at,
          "table/same-id",
          "every row would have this id",
          `write \`id: "${id.node.text}-{row}"\``,
        ),
      );
    const pattern = nodeAt(template, ["match", "pattern"]);
    const captured = new Set(namesIn(pattern?.kind === "scalar" ? pattern.text : ""));
    for (const { text, at } of this.#textsIn(template)) {
      for (const name of namesIn(text)) {
        if (columns.has(name) || captured.has(name) || !/^[A-Za-z_][\w ]*$/.test(name)) continue;
        const near = suggest(name, table.columns);
        const hint =
          near === undefined
            ? `columns: ${table.columns.join(", ")}`
            : `did you mean the column \`${near}\`?`;
        this.problems.push(
          problemAt(at, "table/unknown-column", `${table.file} has no column \`${name}\``, hint),
        );
      }
    }
    return this.problems.length === before;
  }

  /** Warns about columns that have the name of a check. Such a column checks nothing if no key of the block uses its cells. */
  #unusedChecks(template: MapNode, { file, columns }: Table, { keyAt }: MapEntry): readonly Problem[] {
    const used = new Set(namesIn(JSON.stringify(toValue(template))));
    return columns.flatMap((column) => {
      const layer = this.#options.layerOfCheck.get(column);
      if (layer === undefined || used.has(column)) return [];
      if (nodeAt(template, [layer, column]) !== undefined) return [];
      const message = `no key uses the column \`${column}\` of ${file}, so its cells check nothing`;
      return [
        warningAt(keyAt, "table/unused-column", message, `write \`${layer}: { ${column}: "{${column}}" }\``),
      ];
    });
  }

  *#textsIn(node: DocumentNode): Generator<{ readonly text: string; readonly at: Place }> {
    if (node.kind === "scalar") {
      if (typeof node.value === "string") yield { text: node.value, at: node.at };
    } else if (node.kind === "list") for (const item of node.items) yield* this.#textsIn(item);
    else
      for (const [name, entry] of node.entries)
        if (!this.#options.opaqueKeys.has(name) && name !== "turns") yield* this.#textsIn(entry.node);
  }

  /**
   * Decides for each key whose whole value is one cell how the cell is parsed: as text, as a value such as a number, or as a list. A
   * parsing other than text is chosen if the schema then reports fewer problems. The first row whose cell can be more than text decides for
   * all rows.
   */
  #readings(
    template: MapNode,
    rows: readonly TableRow[],
    columns: ReadonlySet<string>,
  ): ReadonlyMap<string, Reading> {
    const readings = new Map<string, Reading>();
    for (const [path, name] of alone(template, "")) {
      if (!columns.has(name)) continue;
      const row = rows.find(({ cells }) => typeof cells.get(name)?.value === "string");
      const typed = rows.find(({ cells }) => isOtherThanText(cells.get(name)?.value));
      const example = typed ?? row;
      if (example === undefined) continue;
      const objections = (reading: Reading): number =>
        this.#objections(
          fillRow(template, { row: example, columns, readings: new Map(readings).set(path, reading) }),
        );
      // If the example is a JSON list, single values are not tried, because another row can contain the list as `a; b`.
      const isList = typeof valueIn(example, name) === "object";
      const [best] = (isList ? (["text", "list"] as const) : (["text", "value", "list"] as const))
        .map((reading) => ({ reading, count: objections(reading) }))
        .toSorted((a, b) => a.count - b.count);
      if (best !== undefined && best.reading !== "text") readings.set(path, best.reading);
    }
    return readings;
  }

  #objections(block: DocumentNode | undefined): number {
    if (block === undefined) return 0;
    const value = toValue(withoutEmpty(block, 3, this.#options.keepEmpty));
    const result = this.#options.schema.safeParse(value, { jitless: true });
    return result.success ? 0 : result.error.issues.length;
  }

  #table(path: string, at: Place): Table | undefined {
    const target = joinPath(folderOf(at.file), path);
    const known = this.#tables.get(target);
    if (known !== undefined) return known;
    const { reader, allowOutside = false } = this.#options;
    const isOutside = isAbsolute(path) || !isInside(this.#folder, target);
    if (isOutside && !allowOutside) return this.#outside(path, at);
    const read = reader?.read(target) ?? { ok: false, reason: "files cannot be read here" };
    if (!read.ok) {
      const hint = /^https?:/.test(path)
        ? "tables are read from disk: download the table into the spec's folder"
        : "a path is relative to the file that contains the path";
      this.problems.push(problemAt(at, "table/not-found", `cannot read ${path}: ${read.reason}`, hint));
      return undefined;
    }
    if (!isInside(this.#realFolder, read.realPath) && !allowOutside) return this.#outside(path, at);
    this.texts.set(target, read.text);
    const table = readTable(target, read.text);
    this.problems.push(...table.problems);
    if (table.problems.length > 0) return undefined;
    this.cells.add(table);
    this.#tables.set(target, table);
    return table;
  }

  #outside(path: string, at: Place): undefined {
    const message = `${path} is outside the folder of this document`;
    this.problems.push(
      problemAt(at, "table/outside", message, "move it into the document's folder or a folder below"),
    );
  }
}

/** Yields path and column of each value that is exactly one `{column}`. */
function* alone(node: DocumentNode, path: string): Generator<readonly [path: string, column: string]> {
  if (node.kind === "list") {
    for (const [index, item] of node.items.entries()) yield* alone(item, `${path}/${index}`);
  } else if (node.kind === "map") {
    for (const [name, entry] of node.entries) yield* alone(entry.node, `${path}/${name}`);
  } else if (typeof node.value === "string") {
    const name = onlyName(node.value);
    if (name !== undefined) yield [path, name];
  }
}

function valueIn(row: TableRow, name: string): ReturnType<typeof readAs> {
  return readAs(row.cells.get(name)?.value ?? null, "value");
}

function isOtherThanText(value: Parameters<typeof readAs>[0] | undefined): boolean {
  return typeof value === "string" && typeof readAs(value, "value") !== "string";
}
