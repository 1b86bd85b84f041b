import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns a new folder. It is deleted after the last test (`temporary-files.ts`). */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "folder-"));
}

/** Writes a file into a new folder of its own, and returns its path. */
export function temporaryFile(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}
