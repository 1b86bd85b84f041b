import { createRequire } from "node:module";

/** `node:sqlite` for versions of Node without it. */
export const SQLITE_PACKAGE = "@photostructure/sqlite";

/** SQLite as Node has it: `node:sqlite` (22.13 and newer), or the same module as a package. */
export interface SqliteModule<Database> {
  readonly name: string;
  readonly DatabaseSync: new (path: string) => Database;
}

/** Undefined where Node has no SQLite and the package is not installed, or not built for this platform. */
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

/** Node 22 reports the module as experimental when it is loaded, in each thread: no line of a JSON log. */
function withoutWarning<Result>(load: () => Result): Result {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
