import type { Row } from "../sql/steps.ts";

export type Value = string | number | bigint | null | Uint8Array;

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

/** Does all of it, or nothing when it throws. */
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

/** SQLite rolls back by itself after some failures, such as those of the disk; the error to report is that failure. */
function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // no transaction is active
  }
}
