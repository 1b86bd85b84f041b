import { existsSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/**
 * Excludes a new folder for telemetry from the surrounding git repository. The caller calls this function
 * before creating the folder, and the returned function afterwards, which writes a `.gitignore` into the
 * folder. A folder that already exists is not changed unless `isOurs`, because it may contain other files.
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
      // The `.gitignore` already exists, or the folder is not writable. Neither prevents the use of the
      // folder.
    }
  };
}
