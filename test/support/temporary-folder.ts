import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns a new folder. It is deleted after the last test (`temporary-files.ts`). */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "folder-"));
}
