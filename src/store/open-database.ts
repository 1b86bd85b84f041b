import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { type Database, findDriver } from "./database.ts";
import { migrate } from "./migrations.ts";
import { StoreError } from "./store-error.ts";

export interface OpenedDatabase {
  readonly database: Database;
  /** What had to be done about a damaged file; null mostly. */
  readonly warning: string | null;
}

/**
 * Opens or makes the database and brings its schema up to date. A file that is no database, or a broken one, is put aside: what is in
 * it can be mended later, and serving goes on.
 * @throws StoreError when there is no driver, no permission, or a newer schema
 */
export function openDatabase(path: string, nowUnixMs: number): OpenedDatabase {
  try {
    return { database: open(path), warning: null };
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (!isDamage(error)) {
      const { message } = error as Error;
      throw new StoreError(
        `cannot open the store ${path}: ${message}`,
        /full|no space|disk i\/o/i.test(message),
      );
    }
    const aside = `${path}.damaged-${nowUnixMs}`;
    for (const suffix of ["", "-wal", "-shm"]) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
    }
    const warning = `the store ${path} is damaged (${(error as Error).message}); it was put aside as ${aside}, a new one was begun`;
    return { database: open(path), warning };
  }
}

/** A second connection to a database that is there, which changes nothing. @throws Error when it cannot be opened */
export function openForReading(path: string): Database {
  const database = findDriver()?.open(path);
  if (database === undefined) throw new StoreError("there is no SQLite");
  database.exec("PRAGMA busy_timeout = 5000");
  database.exec("PRAGMA query_only = 1");
  database.exec("PRAGMA cache_size = -16000");
  return database;
}

function open(path: string): Database {
  const driver = findDriver();
  if (driver === undefined) {
    throw new StoreError(
      "there is no SQLite: use Node 22.13 or newer, or install libsql (npm install libsql); store.mode: memory does without",
    );
  }
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const database = driver.open(path);
  try {
    // Whoever writes is tried again later: nothing else happens in this thread meanwhile.
    database.exec("PRAGMA busy_timeout = 250");
    // A page size and vacuum mode can only be chosen before the first table.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    database.exec("PRAGMA cache_size = -16000");
    migrate(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  return /not a database|malformed|corrupt/i.test((error as Error).message);
}
