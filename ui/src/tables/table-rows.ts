import { ask, useLoaded } from "../api.ts";

/** File and line of a query that is a row of a table. */
export interface TableRow {
  readonly file: string;
  readonly line: number;
}

/** Queries that are rows of tables, by `queryKey`. */
export type TableRows = ReadonlyMap<string, TableRow>;

/** The part of `/api/v1/specs` with the queries that are rows of tables. */
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

/** Rows of tables in the present specs; empty before they are loaded. */
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

/** The query's id in a key of `queryKey`. */
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

/** The URL of Queries with only the rows of one table. */
export function tableAddress({ key }: Table): string {
  return `/queries?table=${encodeURIComponent(key)}`;
}

/** Name of the table's file, without folders. */
export function fileName({ file }: Pick<Table, "file">): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

/** Path of the table's file, from the table's key in a URL. A text that is not a key is returned unchanged. */
export function tableName(key: string): string {
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) ? String(parts[1]) : key;
  } catch {
    return key;
  }
}
