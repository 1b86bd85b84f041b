import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Returns the id of this process in the database that several processes share. The id is stored in a file: a restarted process restores
 * traces from its journal, and must then have the same id.
 * @param file path of the file; null for a new id at each start
 */
export function workerId(file: string | null): string {
  if (file === null) return randomUUID();
  try {
    const known = readFileSync(file, "utf8").trim();
    if (/^[\w-]{1,64}$/.test(known)) return known;
  } catch {
    // The file does not exist yet.
  }
  const made = randomUUID();
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${made}\n`);
  } catch {
    // If the folder is not writable, the id cannot be stored, but the process has no journal either.
  }
  return made;
}
