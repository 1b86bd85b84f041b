import { findSqlite } from "../../support/process/sqlite-module.ts";
import type { Row } from "../sql/steps.ts";
import type { Database, Statement } from "./database.ts";

export interface Driver {
  readonly name: string;
  readonly open: (path: string) => Database;
}

/** A statement of `node:sqlite`. It throws for an integer beyond 2^53, unless integers are read as `bigint`. */
interface DriverStatement extends Statement {
  setReadBigInts(enabled: boolean): void;
}

type DriverDatabase = Pick<Database, "exec" | "close"> & { prepare(sql: string): DriverStatement };

/**
 * SQLite where there is any. Damaged bytes do not end the process: text that is not UTF-8 is read with U+FFFD in it, and damaged pages are an
 * error.
 */
export function findDriver(): Driver | undefined {
  const sqlite = findSqlite<DriverDatabase>();
  if (sqlite === undefined) return undefined;
  const { name, DatabaseSync } = sqlite;
  return {
    name,
    open: (path) => {
      const database = new DatabaseSync(path);
      return {
        exec: (sql) => database.exec(sql),
        prepare: (sql) => withLargeIntegers(database.prepare(sql)),
        close: () => {
          checkpoint(database);
          database.close();
        },
      };
    },
  };
}

/**
 * Moves everything from the write-ahead log into the database's file. SQLite does so when the last connection closes, but a connection of
 * the package closes only when its statements have been collected.
 */
function checkpoint(database: Pick<Database, "exec">): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // of a damaged database, or while another connection reads it: the log stays as it is
  }
}

/** Reads integers beyond 2^53 as the nearest number: one such value, sent or damaged, must not make a whole page unreadable. */
function withLargeIntegers(statement: DriverStatement): Statement {
  const read = <Result>(attempt: () => Result, asNumbers: (result: Result) => Result): Result => {
    try {
      return attempt();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_OUT_OF_RANGE") throw error;
    }
    statement.setReadBigInts(true);
    try {
      return asNumbers(attempt());
    } finally {
      statement.setReadBigInts(false);
    }
  };
  return {
    run: (...values) => statement.run(...values),
    get: (...values) =>
      read(
        () => statement.get(...values),
        (row) => row && withNumbers(row),
      ),
    all: (...values) =>
      read(
        () => statement.all(...values),
        (rows) => rows.map(withNumbers),
      ),
  };
}

function withNumbers(row: Row): Row {
  const entries = Object.entries(row);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
  );
}
