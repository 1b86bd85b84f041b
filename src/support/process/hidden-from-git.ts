import { existsSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/**
 * Keeps a folder of telemetry out of the repository it may be in. To be called before the folder is made; what is returned is called
 * afterwards, and writes a `.gitignore` into a folder that was made meanwhile. A folder that was there, and may hold anything, is left
 * alone, unless `isOurs`.
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
      // The file exists, or cannot be written. The content of the folder is more important.
    }
  };
}
