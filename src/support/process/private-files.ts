import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";

/** Modes of what holds telemetry: its owner alone may read and write, or enter. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Makes a folder, and those above it that are missing, for its owner alone. One that is there keeps its mode. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Writes a file that its owner alone may read, whatever the umask and the mode it had. */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  makePrivateFile(path);
  writeFileSync(path, content);
}

/** Makes an empty file where there is none, and takes a file that is there from everyone but its owner. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_FILE));
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // Another user's file, or a file system without modes: who may read it is decided there.
  }
}
