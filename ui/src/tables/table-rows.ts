import { ask, useLoaded } from "../api.ts";

/** Place of a query that is a row of a table: the file of the table, and the line. */
export interface TableRow {
  readonly file: string;
  readonly line: number;
}

/** Queries that are rows of tables, by `queryKey`. */
export type TableRows = ReadonlyMap<string, TableRow>;

/** The part of a spec in `/api/v1/specs` that contains the queries that are rows of tables. */
export interface SpecWithRows {
  readonly name: string;
  readonly queries: readonly { readonly id: string; readonly row?: TableRow }[];
}

export function tableRowsOf(specs: readonly SpecWithRows[]): TableRows {
  const rows = new Map<string, TableRow>();
  for (const { name, queries } of specs)
    for (const { id, row } of queries) if (row !== undefined) rows.set(queryKey(name, id), row);
  return rows;
}

/** Returns the rows of tables in the current specs; empty before they are loaded. */
export function useTableRows(): TableRows {
  const loading = useLoaded(loadRows, []);
  return loading.state === "ready" ? loading.value : none;
}

const none: TableRows = new Map();

async function loadRows(): Promise<TableRows> {
  const { specs } = await ask<{ specs: SpecWithRows[] }>("/api/v1/specs");
  return tableRowsOf(specs);
}

export function queryKey(spec: string, id: string): string {
  return JSON.stringify([spec, id]);
}

/** Returns the query id that a key of `queryKey` contains. */
export function queryIdIn(key: string): string {
  return String((JSON.parse(key) as readonly unknown[])[1]);
}

export interface Table {
  readonly key: string;
  readonly spec: string;
  readonly file: string;
}

export function tableOf(spec: string, { file }: TableRow): Table {
  return { key: JSON.stringify([spec, file, "rows"]), spec, file };
}

/** Returns the URL of the view Queries with only the rows of one table. */
export function tableAddress({ key }: Table): string {
  return `/queries?table=${encodeURIComponent(key)}`;
}

/** Returns the name of the table's file, without its folders. */
export function fileName({ file }: Pick<Table, "file">): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

/** Returns the path of the table's file, which is a part of the table's key. A text that is not a key is returned unchanged. */
export function tableName(key: string): string {
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) ? String(parts[1]) : key;
  } catch {
    return key;
  }
}
