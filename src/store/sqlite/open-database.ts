import { accessSync, constants, existsSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFile, makePrivateFolder } from "../../support/process/private-files.ts";
import { checkSchema, DamagedDatabase, isTransient } from "./damage.ts";
import type { Database } from "./database.ts";
import { SQLITE_PACKAGE } from "../../support/process/sqlite-module.ts";
import { findDriver } from "./driver.ts";
import { migrate, migrations } from "./migrations.ts";
import { StoreError } from "../store-error.ts";
import { SqliteSession } from "./session.ts";

/** Milliseconds to wait while another process opens and migrates the same file. */
const OPEN_BUSY_MS = 5_000;
/**
 * Milliseconds to wait for a lock. The time is short, because the wait blocks this thread; a write that fails because of a lock is repeated
 * later.
 */
const BUSY_MS = 250;

export interface OpenedDatabase {
  readonly database: Database;
  /** Warning for the user if a damaged file was replaced; otherwise null. */
  readonly warning: string | null;
}

/**
 * Opens or creates the database and migrates its schema. Renames a file that is damaged or from another program, and then creates a new
 * database.
 * @throws StoreError if the driver, a permission or disk space is missing, if the file is locked, or if a newer version of Tracejury wrote
 * it
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
 * Renames the files of a damaged database and creates a new database. The damaged database must be closed.
 * @throws StoreError if the new database cannot be created
 */
export function replaceDatabase(path: string, damage: Error, nowUnixMs: number): OpenedDatabase {
  const aside = freeName(`${path}.damaged-${nowUnixMs}`);
  try {
    for (const suffix of ["", "-wal", "-shm"]) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
    }
    const warning = `the store ${path} is damaged (${damage.message}); it was renamed to ${aside}, and a new, empty store was created`;
    return { database: open(path), warning };
  } catch (error) {
    throw error instanceof StoreError ? error : cannotOpen(path, error as Error);
  }
}

/**
 * Opens another, read-only connection to an existing database.
 * @throws Error if the database cannot be opened
 */
export function openForReading(path: string): Database {
  const database = findDriver()?.open(path);
  if (database === undefined) throw new StoreError("this Node version has no SQLite");
  database.exec("PRAGMA busy_timeout = 5000");
  database.exec("PRAGMA query_only = 1");
  database.exec("PRAGMA cache_size = -16000");
  return database;
}

function open(path: string): Database {
  const driver = findDriver();
  if (driver === undefined) {
    throw new StoreError(
      `this Node version has no SQLite: use Node 22.13 or newer, or npm install ${SQLITE_PACKAGE}; or set store.mode: memory`,
    );
  }
  if (path !== ":memory:") {
    makePrivateFolder(dirname(path));
    // SQLite gives its -wal and -shm files the same mode as the database file, so this makes all three files private.
    makePrivateFile(path);
  }
  const database = driver.open(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${OPEN_BUSY_MS}`);
    // Must be set before the first table is created; SQLite ignores a later change of the vacuum mode.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    database.exec("PRAGMA cache_size = -16000");
    migrate(database, path, migrations, (version) => checkSchema(database, version));
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    // Prepares every insert statement, which throws if the schema does not match.
    void new SqliteSession(database);
    return database;
  } catch (error) {
    database.close();
    throw asOpenError(error as Error, path);
  }
}

/** Returns the error to report after opening failed. If the file is writable but SQLite refuses to write it, its header is damaged. */
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
  const isRefused = /^E(ACCES|EXIST|NOENT|NOTDIR|PERM|ROFS)|read-?only|unable to open/i.test(message);
  const remedy = "; set data_dir or store.path to a folder that can be written, or store.mode to memory";
  return new StoreError(
    `cannot open the store ${path}: ${message}${isRefused ? remedy : ""}`,
    /full|no space|disk i\/o|ENOSPC/i.test(message),
  );
}

/** Returns a name that no file has. The name contains a number if another database was renamed in the same millisecond. */
function freeName(path: string): string {
  for (let second = 1; ; second++) {
    const name = second === 1 ? path : `${path}-${second}`;
    if (!existsSync(name)) return name;
  }
}
