import { findSqlite } from "../../support/process/sqlite-module.ts";
import type { Row } from "../sql/dialect.ts";
import type { Database, Statement } from "./database.ts";

export interface Driver {
  readonly name: string;
  readonly open: (path: string) => Database;
}

/**
 * A statement of `node:sqlite`. Reading an integer above 2^53 throws, except if `setReadBigInts` is on, so that the statement returns each
 * integer as a `bigint`.
 */
interface DriverStatement extends Statement {
  setReadBigInts(enabled: boolean): void;
}

type DriverDatabase = Pick<Database, "exec" | "close"> & { prepare(sql: string): DriverStatement };

/**
 * Returns the SQLite driver; undefined if Node has none. With this driver, a damaged file cannot crash the process: invalid UTF-8 is read
 * as U+FFFD, and reading a damaged page throws.
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
 * Writes the write-ahead log into the database file. SQLite does this itself when the last connection closes. But Node closes a connection
 * only after the connection's statements are garbage-collected.
 */
function checkpoint(database: Pick<Database, "exec">): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The log stays, because the database is damaged or another connection reads the log.
  }
}

/**
 * Makes a statement return integers above 2^53 as the nearest number, because otherwise one large value would make all rows of a result
 * unreadable.
 */
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
