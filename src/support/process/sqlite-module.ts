import { createRequire } from "node:module";

/** Package that provides SQLite for Node versions without `node:sqlite`. */
export const SQLITE_PACKAGE = "@photostructure/sqlite";

/** A SQLite module with the interface of `node:sqlite`: Node's own from Node 22.13, or `SQLITE_PACKAGE` for older Node versions. */
export interface SqliteModule<Database> {
  readonly name: string;
  readonly DatabaseSync: new (path: string) => Database;
}

/**
 * Returns the SQLite module of Node or, if Node has none, of the package; undefined if the package is not
 * installed, or not built for this platform.
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
 * Calls `load`, and suppresses Node 22's warning that `node:sqlite` is experimental. The warning would be an invalid line in a JSON log.
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
