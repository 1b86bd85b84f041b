import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Id of this process in the shared database. A file keeps it over restarts, so that a process that recovers its traces from the journal
 * stays the same worker.
 */
export function workerId(file: string | null): string {
  if (file === null) return randomUUID();
  try {
    const known = readFileSync(file, "utf8").trim();
    if (/^[\w-]{1,64}$/.test(known)) return known;
  } catch {
    // There is none yet.
  }
  const made = randomUUID();
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${made}\n`);
  } catch {
    // A folder that cannot be written has no journal either.
  }
  return made;
}
