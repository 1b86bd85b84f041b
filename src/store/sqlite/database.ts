import type { Row } from "../sql/dialect.ts";

export type Value = string | number | bigint | null | Uint8Array;

export interface Statement {
  run(...values: readonly Value[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: readonly Value[]): Row | undefined;
  all(...values: readonly Value[]): readonly Row[];
}

/** The functions of an SQLite driver that the store uses. All calls are synchronous. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** Runs `work` in a transaction. If `work` throws, the transaction is rolled back. */
export function transaction<T>(database: Database, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Rolls back the transaction. Ignores errors, because SQLite itself rolls back after some failures, such as disk errors. */
function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // ROLLBACK fails if SQLite has already rolled back.
  }
}
