import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

/** A copy of a data folder as a process that is killed now leaves it, without the locks that its end releases. */
export function killed(dataDir: string): string {
  const copy = temporaryFolder();
  cpSync(dataDir, copy, { recursive: true });
  for (const part of ["journal", "forward", "export"]) rmSync(join(copy, part, "lock"), { force: true });
  return copy;
}

/** The file that tests export verdicts to. */
export function verdictFile(dataDir: string): string {
  return join(dataDir, "verdicts.jsonl");
}

/** The verdicts in the file, as JSON; none while there is no file. */
export function verdictLines(dataDir: string): string[] {
  const path = verdictFile(dataDir);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}
