import { existsSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/**
 * Excludes a new telemetry folder from the surrounding git repository. Call this before the folder is
 * created, and call the returned function afterwards; it writes a `.gitignore` into the new folder. A folder
 * that existed before may contain anything and is not changed, unless `isOurs`.
 */
export function hiddenFromGit(folder: string, cwd: string, isOurs: boolean): () => void {
  const path = resolve(cwd, folder);
  const isAboveWork = !relative(path, resolve(cwd)).startsWith("..");
  if (isAboveWork || (existsSync(path) && !isOurs)) return () => undefined;
  return () => {
    if (!existsSync(path)) return;
    try {
      writeFileSync(join(path, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
    } catch {
      // The file exists, or is not writable. The content of the folder is more important.
    }
  };
}
