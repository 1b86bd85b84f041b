import { type Stats, statSync } from "node:fs";

/**
 * Returns the stats of a file or folder, with symbolic links followed. Returns undefined if there is none, or if symbolic links lead to each
 * other.
 */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return undefined;
    throw error;
  }
}
