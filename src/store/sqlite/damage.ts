import type { Database } from "./database.ts";
import { findDriver } from "./driver.ts";
import { migrate, migrations } from "./migrations.ts";

/** The database file is damaged, or another program wrote it. */
export class DamagedDatabase extends Error {
  override readonly name = "DamagedDatabase";
}

/**
 * Whether an SQLite error means that the file is damaged. Returns false for an error because the file is locked or read-only, or the disk
 * is full.
 */
export function isDamage({ name, message }: Error): boolean {
  return (
    name === "DamagedDatabase" ||
    /file is not a database|disk image is malformed|malformed database schema|file is encrypted|database corruption/i.test(
      message,
    )
  );
}

/** Whether a retry may succeed: the disk is full, the file is locked, or cannot be opened or written, or the device fails. */
export function isTransient({ name, message }: Error): boolean {
  if (name === "DamagedDatabase") return false;
  return /full|no space|locked|busy|read-?only|disk i\/o|unable to open|permission/i.test(message);
}

export function isFullDisk({ message }: Error): boolean {
  return /disk is full|no space/i.test(message);
}

/**
 * Compares all tables, indexes and their columns with those of a new database of the same schema version. Without this comparison, a
 * database whose version number is damaged would look like one of another version.
 * @throws DamagedDatabase if tables or columns differ
 */
export function checkSchema(database: Database, version: number): void {
  const latest = migrations.length;
  const columns = columnsOf(database);
  if (version > latest) {
    if (columns !== columnsOfVersion(latest)) return; // A newer version of Tracejury wrote the database, so its tables cannot be checked.
    throw new DamagedDatabase(
      `the file has the version number of schema ${version}, but the tables of schema ${latest}`,
    );
  }
  if (columns !== columnsOfVersion(version)) {
    throw new DamagedDatabase(`the tables differ from those of schema ${version}`);
  }
}

function columnsOfVersion(version: number): string {
  const database = findDriver()?.open(":memory:");
  if (database === undefined) return "";
  try {
    migrate(database, ":memory:", migrations.slice(0, version));
    return columnsOf(database);
  } finally {
    database.close();
  }
}

/** Returns the names of all tables and indexes, with their columns, as one text. */
function columnsOf(database: Database): string {
  const rows = database
    .prepare(
      `SELECT m.name AS name, (SELECT group_concat(p.name) FROM pragma_table_xinfo(m.name) p) AS columns
       FROM sqlite_schema m WHERE m.name NOT LIKE 'sqlite_stat%' ORDER BY m.name`,
    )
    .all();
  return rows.map((row) => `${String(row["name"])}: ${String(row["columns"])}`).join("\n");
}
