import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";

/** File mode for telemetry: only the owner may read and write. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/**
 * Creates a folder and its missing parents, accessible only to the owner. An existing folder keeps its mode.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Writes a file that only its owner may read, regardless of the umask and an earlier mode. */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  makePrivateFile(path);
  writeFileSync(path, content);
}

/** Creates an empty file, or restricts an existing one to its owner. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_FILE));
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // The file belongs to another user, or the file system has no modes; access is decided there.
  }
}
