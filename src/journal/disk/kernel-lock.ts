import { findSqlite } from "../../support/process/sqlite-module.ts";

/** A lock that the kernel releases when the process ends, for whatever reason. */
export interface KernelLock {
  release(): void;
}

interface LockDatabase {
  exec(sql: string): unknown;
  close(): void;
}

/**
 * Locks a file. Node cannot lock files, so SQLite does it, with `fcntl` or the platform's equivalent. The
 * file stays empty. Processes of one kernel see the lock in any PID namespace; over a network file system,
 * others see it if the file system forwards locks.
 * @returns the lock; `taken` while another process holds it; null without SQLite or without file locks
 */
export function acquireKernelLock(path: string): KernelLock | "taken" | null {
  const sqlite = findSqlite<LockDatabase>();
  if (sqlite === undefined) return null;
  let database: LockDatabase | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    // SQLite's journal is in memory, so that no further file is created.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    const locked = database;
    return { release: () => locked.close() };
  } catch (error) {
    database?.close();
    return /locked|busy/i.test(String(error)) ? "taken" : null;
  }
}
