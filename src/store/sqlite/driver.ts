import { findSqlite } from "../../support/process/sqlite-module.ts";
import type { Row } from "../sql/dialect.ts";
import type { Database, Statement } from "./database.ts";

export interface Driver {
  readonly name: string;
  readonly open: (path: string) => Database;
}

/** A statement of `node:sqlite`. Reading an integer above 2^53 throws, unless the statement returns integers as `bigint`. */
interface DriverStatement extends Statement {
  setReadBigInts(enabled: boolean): void;
}

type DriverDatabase = Pick<Database, "exec" | "close"> & { prepare(sql: string): DriverStatement };

/**
 * Returns the SQLite driver; undefined if Node has none. A damaged file does not end the process: invalid UTF-8 is read as U+FFFD, and
 * damaged pages throw.
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
 * Writes the write-ahead log into the database file. SQLite itself writes the log when the last connection closes, but Node closes a
 * connection only after its statements are garbage-collected.
 */
function checkpoint(database: Pick<Database, "exec">): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The write-ahead log stays, because the database is damaged or another connection reads it.
  }
}

/** Makes a statement return integers above 2^53 as the nearest number, so that one large value does not make a whole page unreadable. */
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
