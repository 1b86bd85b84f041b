import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";

/** File mode for telemetry: only the owner can read and write. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/**
 * Creates a folder and its missing parents, accessible only to the owner. An existing folder keeps its mode.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Writes a file that only its owner can read, regardless of the umask and of the mode of an existing file.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  makePrivateFile(path);
  writeFileSync(path, content);
}

/** Creates an empty file. An existing file is restricted to its owner, and keeps its content. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_FILE));
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // The file belongs to another user, or the file system has no modes. Access is then controlled elsewhere.
  }
}
