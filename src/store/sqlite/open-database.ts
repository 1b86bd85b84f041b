import { accessSync, constants, existsSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFile, makePrivateFolder } from "../../support/process/private-files.ts";
import { checkSchema, DamagedDatabase, isTransient } from "./damage.ts";
import type { Database } from "./database.ts";
import { SQLITE_PACKAGE } from "../../support/process/sqlite-module.ts";
import { findDriver } from "./driver.ts";
import { migrate, schemaVersion } from "./migrations.ts";
import { StoreError } from "../store-error.ts";
import { SqliteSession } from "./session.ts";

export interface OpenedDatabase {
  readonly database: Database;
  /** Warning about a damaged file that was replaced; usually null. */
  readonly warning: string | null;
}

/**
 * Opens or creates the database and migrates its schema. A damaged or foreign file is renamed for later
 * recovery, and a new one is created.
 * @throws StoreError without a driver, permission or disk space, or for a newer schema
 */
export function openDatabase(path: string, nowUnixMs: number): OpenedDatabase {
  try {
    return { database: open(path), warning: null };
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (isTransient(error as Error)) throw cannotOpen(path, error as Error);
    return replaceDatabase(path, error as Error, nowUnixMs);
  }
}

/**
 * Renames the files of a damaged, closed database, and creates a new database.
 * @throws StoreError
 */
export function replaceDatabase(path: string, damage: Error, nowUnixMs: number): OpenedDatabase {
  const aside = freeName(`${path}.damaged-${nowUnixMs}`);
  try {
    for (const suffix of ["", "-wal", "-shm"]) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
    }
    const warning = `the store ${path} is damaged (${damage.message}); it was renamed to ${aside}, and a new one was created`;
    return { database: open(path), warning };
  } catch (error) {
    throw error instanceof StoreError ? error : cannotOpen(path, error as Error);
  }
}

/**
 * Opens a second, read-only connection to an existing database.
 * @throws Error if it cannot be opened
 */
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
      `there is no SQLite: use Node 22.13 or newer, or npm install ${SQLITE_PACKAGE}; store.mode: memory does without`,
    );
  }
  if (path !== ":memory:") {
    makePrivateFolder(dirname(path));
    // SQLite creates its -wal and -shm files with the mode of the database file.
    makePrivateFile(path);
  }
  const database = driver.open(path);
  try {
    // A short wait, because it blocks this thread; failed writes are retried later.
    database.exec("PRAGMA busy_timeout = 250");
    // Page size and vacuum mode can be set only before the first table is created.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    database.exec("PRAGMA cache_size = -16000");
    checkSchema(database, schemaVersion(database));
    migrate(database, path);
    database.exec(`PRAGMA user_version = ${schemaVersion(database)}`); // fails if the database is not writable
    void new SqliteSession(database); // prepares every insert, to detect a schema that does not match
    return database;
  } catch (error) {
    database.close();
    throw asOpenError(error as Error, path);
  }
}

/**
 * Converts an error of opening. The error counts as damage if SQLite refuses, because of the file's header,
 * to write a writable file.
 */
function asOpenError(error: Error, path: string): Error {
  if (path === ":memory:" || !/read-?only/i.test(error.message)) return error;
  try {
    accessSync(path, constants.W_OK);
  } catch {
    return error;
  }
  return new DamagedDatabase(error.message);
}

function cannotOpen(path: string, { message }: Error): StoreError {
  return new StoreError(
    `cannot open the store ${path}: ${message}`,
    /full|no space|disk i\/o|ENOSPC/i.test(message),
  );
}

/** Returns an unused file name; two databases may be renamed in the same millisecond. */
function freeName(path: string): string {
  for (let second = 1; ; second++) {
    const name = second === 1 ? path : `${path}-${second}`;
    if (!existsSync(name)) return name;
  }
}
