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
 * Locks a file with `fcntl` or the platform's equivalent. Node cannot lock files, so SQLite does. The file stays empty. Processes of one
 * kernel see the lock in any PID namespace. On a network file system, other machines see the lock only if the file system forwards locks.
 * @returns the lock; `taken` if another process has it; null without SQLite or file locks
 */
export function acquireKernelLock(path: string): KernelLock | "taken" | null {
  const sqlite = findSqlite<LockDatabase>();
  if (sqlite === undefined) return null;
  let database: LockDatabase | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    // SQLite keeps its journal in memory, so that it creates no further file.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    const locked = database;
    return { release: () => locked.close() };
  } catch (error) {
    database?.close();
    return /locked|busy/i.test(String(error)) ? "taken" : null;
  }
}
