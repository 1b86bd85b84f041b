import { findSqlite } from "../../support/process/sqlite-module.ts";

/** A lock that the kernel releases when the process ends for any reason. */
export interface KernelLock {
  release(): void;
}

interface LockDatabase {
  exec(sql: string): unknown;
  close(): void;
}

/**
 * Locks a file through SQLite, which uses `fcntl` or the platform's equivalent; Node has no such call. The
 * file stays empty. Processes of one kernel see the lock in any PID namespace. Over a network file system the
 * lock is visible where the file system forwards locks.
 * @returns the lock; `taken` while another process holds it; null without SQLite or without file locks
 */
export function acquireKernelLock(path: string): KernelLock | "taken" | null {
  const sqlite = findSqlite<LockDatabase>();
  if (sqlite === undefined) return null;
  let database: LockDatabase | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    // Keeps SQLite's journal in memory, so that no further file is created.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    const locked = database;
    return { release: () => locked.close() };
  } catch (error) {
    database?.close();
    return /locked|busy/i.test(String(error)) ? "taken" : null;
  }
}
