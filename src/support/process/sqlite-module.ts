import { createRequire } from "node:module";

/** Package that provides `node:sqlite` for Node versions without it. */
export const SQLITE_PACKAGE = "@photostructure/sqlite";

/**
 * A SQLite module with the interface of `node:sqlite` (Node 22.13 and newer), which a package also provides.
 */
export interface SqliteModule<Database> {
  readonly name: string;
  readonly DatabaseSync: new (path: string) => Database;
}

/**
 * Returns the SQLite module of Node or of the package. Undefined if Node has no SQLite, and the package is
 * not installed or not built for this platform.
 */
export function findSqlite<Database>(): SqliteModule<Database> | undefined {
  type Exports = Pick<SqliteModule<Database>, "DatabaseSync">;
  const builtin = withoutWarning(() => process.getBuiltinModule("node:sqlite")) as Exports | undefined;
  if (builtin !== undefined) return { name: "node:sqlite", DatabaseSync: builtin.DatabaseSync };
  try {
    const { DatabaseSync } = createRequire(import.meta.url)(SQLITE_PACKAGE) as Exports;
    return { name: SQLITE_PACKAGE, DatabaseSync };
  } catch {
    return undefined;
  }
}

/**
 * Calls `load` without Node 22's warning that `node:sqlite` is experimental. The warning would be an invalid
 * line in a JSON log.
 */
function withoutWarning<Result>(load: () => Result): Result {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
