// When something below a path last changed: names that came or went count, too, by the time of their folder.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds of the newest file or folder; 0 where there is none. `isRead` picks the files and folders that count. */
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
