import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isLocked } from "../journal/disk/lock.ts";

/**
 * Removes the data folder that a collector created before its start failed. The folder stays if another process has a lock in it. Example:
 * two collectors start at the same time and both find no folder. If one of them fails, it must not remove the journal of the other. Never
 * throws, because the caller then reports the error of the start.
 */
export function removeUnusedDataFolder(folder: string): void {
  try {
    const isUsed = readdirSync(folder).some((name) => isLocked(join(folder, name)));
    if (!isUsed) rmSync(folder, { recursive: true, force: true });
  } catch {
    // The folder was not created, or cannot be removed: both are ignored.
  }
}
