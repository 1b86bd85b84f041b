import { createRequire } from "node:module";

export type Value = string | number | bigint | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

export interface Statement {
  run(...values: readonly Value[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: readonly Value[]): Row | undefined;
  all(...values: readonly Value[]): readonly Row[];
}

/** The part of an SQLite driver that the store needs. Everything happens at once, in the calling thread. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

type Open = (path: string) => Database;

/** SQLite in Node where it has it (22.13 and newer), else `libsql` where it is installed; undefined where there is neither. */
export function findDriver(): { readonly name: string; readonly open: Open } | undefined {
  const builtin = process.getBuiltinModule("node:sqlite") as SqliteModule | undefined;
  if (builtin !== undefined) return { name: "node:sqlite", open: (path) => new builtin.DatabaseSync(path) };
  try {
    const Libsql = createRequire(import.meta.url)("libsql") as new (path: string) => Database;
    return { name: "libsql", open: (path) => new Libsql(path) };
  } catch {
    return undefined;
  }
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => Database;
}

/** Does all of it, or nothing when it throws. */
export function transaction<T>(database: Database, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
