import { chmodSync, closeSync, openSync, writeFileSync } from "node:fs";
import { makeFolderSync } from "./make-folder.ts";

/** Mode of files with telemetry: only the owner can read and write. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Creates a folder and its missing parents, which only the owner can access. The mode of an existing folder does not change. */
export function makePrivateFolder(path: string): void {
  makeFolderSync(path, PRIVATE_FOLDER);
}

/** Writes a file that only its owner can read, regardless of the umask, and of the mode that an existing file has. */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  makePrivateFile(path);
  writeFileSync(path, content);
}

/** Creates an empty file that only its owner can access. If the file exists, changes only its mode, and not its content. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_FILE));
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // Ignored: the file belongs to another user, or the file system has no modes, so access to the file cannot be restricted.
  }
}
