import { chmodSync, closeSync, openSync, writeFileSync } from "node:fs";
import { makeFolderSync } from "./make-folder.ts";

/** Mode of files with telemetry: only the owner can read and write. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/**
 * Creates a folder and its missing parents, which only the owner can access. An existing folder keeps its
 * mode.
 */
export function makePrivateFolder(path: string): void {
  makeFolderSync(path, PRIVATE_FOLDER);
}

/** Writes a file that only its owner can read, whatever the umask or the mode of an existing file. */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  makePrivateFile(path);
  writeFileSync(path, content);
}

/**
 * Creates an empty file that only its owner can access. An existing file becomes private, too, and keeps its
 * content.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_FILE));
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // The file belongs to another user, or the file system has no modes: access to the file cannot be
    // restricted.
  }
}
