import { CsvError, parse } from "csv-parse/sync";
import { isObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { Place } from "../document/node.ts";
import { encodingProblem } from "../document/problems/encoding.ts";
import { fileProblem, problemAt, type Problem } from "../document/problems/problem.ts";

/** A value of a row, and its position. */
export interface Cell {
  readonly column: string;
  readonly value: JsonValue;
  readonly at: Place;
}

export interface TableRow {
  /** Number of the row, from 1, without the header of a CSV file. */
  readonly number: number;
  readonly at: Place;
  readonly cells: ReadonlyMap<string, Cell>;
}

export interface Table {
  readonly file: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  readonly problems: readonly Problem[];
}

const longest = 8 * 1024 * 1024;
const mostRows = 10_000;

/** Whether the file is a table, by its extension. */
export function isTableName(file: string): boolean {
  return /\.(?:csv|tsv|jsonl|ndjson)$/i.test(file);
}

/**
 * Parses CSV (RFC 4180, see `delimiterOf`), TSV, or one JSON object per line. Reports every bad row. A syntax error of CSV, a wrong
 * encoding or a file that is too large is reported alone.
 */
export function readTable(file: string, text: string): Table {
  const none = { file, columns: [], rows: [] };
  if (text.length > longest)
    return {
      ...none,
      problems: [tooLarge(file, `the table is longer than ${longest.toLocaleString("en-US")} characters`)],
    };
  const foreign = encodingProblem(file, text, {
    code: "table/encoding",
    hint: "save the table again, as CSV in UTF-8",
  });
  if (foreign !== undefined) return { ...none, problems: [foreign] };
  const table = /\.(?:csv|tsv)$/i.test(file) ? readCsv(file, text) : readJsonLines(file, text);
  if (table.problems.length > 0) return table;
  if (table.rows.length === 0)
    return {
      ...table,
      problems: [fileProblem(file, "table/empty", "the table has no row", "write one row for each query")],
    };
  if (table.rows.length <= mostRows) return table;
  const message = `the table has ${table.rows.length} rows, more than ${mostRows}`;
  return { ...table, problems: [tooLarge(file, message)] };
}
function tooLarge(file: string, message: string): Problem {
  return fileProblem(file, "table/too-large", message, "split the table");
}

/** A record of the CSV parser, with its options `info` and `raw`. */
interface CsvRecord {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

function readCsv(file: string, text: string): Table {
  let records: readonly CsvRecord[];
  try {
    records = parse(text, {
      bom: true,
      delimiter: delimiterOf(file, text),
      info: true,
      raw: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as readonly CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { file, columns: [], rows: [], problems: [csvProblem(file, error)] };
  }
  const [head, ...body] = records;
  const columns = head?.record ?? [];
  const problems = headProblems(file, columns, head);
  const rows = body.flatMap((record, index) => {
    const at = placeOfRecord(file, record);
    const extra = record.record.slice(columns.length).some((cell) => cell !== "");
    if (extra || record.record.length < columns.length) {
      problems.push(widthProblem(at, index + 1, record.record.length, columns.length));
      return [];
    }
    return [{ number: index + 1, at, cells: csvCells(columns, record, at) }];
  });
  return { file, columns: columns.filter((name) => name !== ""), rows, problems };
}

/**
 * Returns the delimiter: tab for `.tsv`; `;` if the first line has `;` and no comma, as spreadsheets in some languages export; otherwise
 * comma.
 */
function delimiterOf(file: string, text: string): string {
  if (/\.tsv$/i.test(file)) return "\t";
  const [head = ""] = text.split(/\r?\n/, 1);
  return head.includes(";") && !head.includes(",") ? ";" : ",";
}

function csvProblem(file: string, error: CsvError): Problem {
  const line = Number(error["lines"] ?? 1);
  const hints: Readonly<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: 'close the quotation mark; write `""` for one inside of quoted text',
    CSV_INVALID_CLOSING_QUOTE: 'write `""` for a quotation mark inside of quoted text',
    INVALID_OPENING_QUOTE: 'quote the whole cell, and write `""` for a quotation mark inside',
  };
  const at = { file, line, column: 1, length: 1 };
  return problemAt(at, "table/syntax", `not valid CSV: ${error.message}`, hints[error.code] ?? null);
}

function headProblems(file: string, columns: readonly string[], head: CsvRecord | undefined): Problem[] {
  const at = { file, line: 1, column: 1, length: Math.max(1, head?.raw.trimEnd().length ?? 1) };
  const twice = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (twice === undefined) return [];
  return [problemAt(at, "table/duplicate-column", `two columns are named \`${twice}\``, "rename one")];
}

function widthProblem(at: Place, row: number, cells: number, columns: number): Problem {
  const message = `row ${row} has ${cells} cells, the header has ${columns}`;
  return problemAt(at, "table/width", message, "quote cells that contain the separator, or line breaks");
}

/** Returns the position of a record's first line, because the parser reports the last line. */
function placeOfRecord(file: string, { raw, info }: CsvRecord): Place {
  const text = raw.replace(/^[\r\n]+|[\r\n]+$/g, "");
  const breaks = text.split(/\r\n|[\r\n]/);
  return {
    file,
    line: info.lines - breaks.length + 1,
    column: 1,
    length: Math.max(1, breaks[0]?.length ?? 1),
  };
}

function csvCells(
  columns: readonly string[],
  { record, raw }: CsvRecord,
  row: Place,
): ReadonlyMap<string, Cell> {
  const text = raw.replace(/^[\r\n]+/, "");
  const cells = new Map<string, Cell>();
  let from = 0;
  for (const [index, column] of columns.entries()) {
    const value = record[index] ?? "";
    const written = value.replaceAll('"', '""');
    const found = text.indexOf(written, from);
    const start = found < 0 ? from : found;
    from = start + written.length;
    if (column !== "")
      cells.set(column, {
        column,
        value: value === "" ? null : value,
        at: within(row, text, start, written),
      });
  }
  return cells;
}

/**
 * Returns the position of a part of a record.
 * @param start offset of the part in the record's text
 */
function within(row: Place, text: string, start: number, written: string): Place {
  const before = text.slice(0, start).split(/\r\n|[\r\n]/);
  const [firstLine = ""] = written.split(/[\r\n]/, 1);
  const column = (before.at(-1)?.length ?? 0) + 1;
  return {
    file: row.file,
    line: row.line + before.length - 1,
    column,
    length: Math.max(1, firstLine.length),
  };
}

function readJsonLines(file: string, text: string): Table {
  const problems: Problem[] = [];
  const rows: TableRow[] = [];
  const columns = new Set<string>();
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === "") continue;
    const at = { file, line: index + 1, column: 1, length: line.trimEnd().length };
    const value = parseJson(line);
    if (!isObject(value)) {
      const what = value === undefined ? "not valid JSON" : "not a JSON object";
      problems.push(
        problemAt(at, "table/syntax", `row ${rows.length + 1} is ${what}`, "write one object per line"),
      );
      continue;
    }
    const twice = repeatedKey(line);
    if (twice !== undefined) {
      const place = { ...at, column: twice.at + 1, length: twice.key.length };
      const message = `row ${rows.length + 1} has the key ${twice.key} twice`;
      problems.push(problemAt(place, "table/duplicate-column", message, "keep one of them"));
      continue;
    }
    for (const column of Object.keys(value)) columns.add(column);
    rows.push({ number: rows.length + 1, at, cells: jsonCells(value, line, at) });
  }
  return { file, columns: [...columns], rows, problems };
}

/**
 * Finds a key that occurs twice in an object of the JSON text, and returns it with its quotation marks. The JSON parser would ignore the
 * first value of the key.
 */
function repeatedKey(json: string): { readonly key: string; readonly at: number } | undefined {
  const open: Set<unknown>[] = [];
  for (const { 0: token, 1: key, index: at } of json.matchAll(
    /("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"|[{}]/g,
  )) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (key !== undefined) {
      const keys = open.at(-1);
      const name = parseJson(key);
      if (keys?.has(name) === true) return { key, at };
      keys?.add(name);
    }
  }
  return undefined;
}

function jsonCells(
  value: Readonly<Record<string, JsonValue>>,
  line: string,
  at: Place,
): ReadonlyMap<string, Cell> {
  return new Map(
    Object.entries(value).map(([column, cell]) => {
      const key = line.indexOf(`${JSON.stringify(column)}:`);
      const place = key < 0 ? at : { ...at, column: key + 1, length: JSON.stringify(column).length };
      return [column, { column, value: cell === "" ? null : cell, at: place }];
    }),
  );
}
