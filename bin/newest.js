// Finds the time of the last change below a path. Adding or deleting a file changes the time of its folder.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the modification time of the newest file or folder in Unix milliseconds; 0 if there is none. `isRead` selects files and folders.
 */
export function newestMs(path, isRead = () => true) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const times = readdirSync(path, { withFileTypes: true }).map((entry) => {
    if (!isRead(entry)) return 0;
    return newestMs(join(path, entry.name), isRead);
  });
  return Math.max(found.mtimeMs, ...times);
}
