import type { Database } from "./database.ts";
import { findDriver } from "./driver.ts";
import { migrate, migrations } from "./migrations.ts";

/** The database's bytes are not what SQLite or this program wrote. */
export class DamagedDatabase extends Error {
  override readonly name = "DamagedDatabase";
}

/** Whether an error of SQLite means that the file is damaged, as against locked, full or not writable. */
export function isDamage({ name, message }: Error): boolean {
  return (
    name === "DamagedDatabase" ||
    /file is not a database|disk image is malformed|malformed database schema|file is encrypted|database corruption/i.test(
      message,
    )
  );
}

/** Whether the same may work later: a full disk, a lock, a device that fails. */
export function isTransient({ name, message }: Error): boolean {
  if (name === "DamagedDatabase") return false;
  return /full|no space|locked|busy|read-?only|disk i\/o|unable to open|permission/i.test(message);
}

/**
 * Compares the tables and columns with those of a new database of the same version.
 * @throws DamagedDatabase when they differ, so that one flipped byte of the schema is not taken for another version
 */
export function checkSchema(database: Database, version: number): void {
  const latest = migrations.length;
  const columns = columnsOf(database);
  if (version > latest) {
    if (columns !== columnsOfVersion(latest)) return; // written by a newer version
    throw new DamagedDatabase(`schema ${version} has the tables of schema ${latest}`);
  }
  if (columns !== columnsOfVersion(version)) {
    throw new DamagedDatabase(`its tables are not those of schema ${version}`);
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

/** Every table and index with its columns, as one text. */
function columnsOf(database: Database): string {
  const rows = database
    .prepare(
      `SELECT m.name AS name, (SELECT group_concat(p.name) FROM pragma_table_xinfo(m.name) p) AS columns
       FROM sqlite_schema m WHERE m.name NOT LIKE 'sqlite_stat%' ORDER BY m.name`,
    )
    .all();
  return rows.map((row) => `${String(row["name"])}: ${String(row["columns"])}`).join("\n");
}
