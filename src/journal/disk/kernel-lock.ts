import { findSqlite } from "../../support/process/sqlite-module.ts";

/** A lock that the kernel ends with the process, however that ends. */
export interface KernelLock {
  release(): void;
}

interface LockDatabase {
  exec(sql: string): unknown;
  close(): void;
}

/**
 * Locks a file by `fcntl`, or what the platform has in its place, as SQLite does with a database that it writes: Node has no call for it.
 * The file stays empty. Processes of one kernel see the lock whatever PID namespace they are in; over a network file system those that it
 * forwards locks for see it as well.
 * @returns `taken` while another process has it; null where there is no SQLite, or the file system has no locks
 */
export function acquireKernelLock(path: string): KernelLock | "taken" | null {
  const sqlite = findSqlite<LockDatabase>();
  if (sqlite === undefined) return null;
  let database: LockDatabase | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    // A journal in memory makes no file beside this one.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    const locked = database;
    return { release: () => locked.close() };
  } catch (error) {
    database?.close();
    return /locked|busy/i.test(String(error)) ? "taken" : null;
  }
}
