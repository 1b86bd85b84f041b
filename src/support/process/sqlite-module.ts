import { createRequire } from "node:module";

/** Package that provides `node:sqlite` for Node versions without it. */
export const SQLITE_PACKAGE = "@photostructure/sqlite";

/** SQLite as in Node: `node:sqlite` (22.13 and newer), or the same module as a package. */
export interface SqliteModule<Database> {
  readonly name: string;
  readonly DatabaseSync: new (path: string) => Database;
}

/**
 * Returns the SQLite module. Returns undefined if Node has no SQLite and the package is not installed, or not
 * built for this platform.
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

/** Suppresses Node 22's warning that the module is experimental, because it is not valid in a JSON log. */
function withoutWarning<Result>(load: () => Result): Result {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
