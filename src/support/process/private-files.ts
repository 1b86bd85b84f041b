import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";

/** Modes of what holds telemetry: its owner alone may read and write, or enter. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Creates a folder and its missing parents, accessible only to the owner. An existing folder keeps its mode. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Writes a file that its owner alone may read, whatever the umask and the mode it had. */
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
    // Another user's file, or a file system without modes: who may read it is decided there.
  }
}
