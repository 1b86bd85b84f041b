import { existsSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/**
 * Excludes a new folder for telemetry from the surrounding git repository. Call `hiddenFromGit` before the folder is created, and the
 * returned function after the folder is created. The returned function writes a `.gitignore` into the folder. A folder that contains the
 * working directory is not excluded.
 * @param isOurs true if an existing folder contains only files of Tracejury; if false, an existing folder is not excluded
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
      // Ignored: the folder can be used even if a `.gitignore` exists or cannot be written.
    }
  };
}
