import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../support/process/exit-code.ts";

/** A file as threads of one process know it. */
export interface OpenFile {
  readonly descriptor: number;
  readonly length: number;
  readonly path: string;
}

/**
 * A file that only this user can read, in the system's folder for temporary files. It has no name any more once it is open, so that it is
 * deleted with the process however that ends; where open files must keep their names, it goes when it is closed or the process exits.
 */
export class TemporaryFile {
  /** Bytes written. */
  length: number;
  readonly #path: string;
  readonly #file: number;
  readonly #remove = (): void => rmSync(this.#path, { force: true });
  #isClosed = false;

  /** `given`: what another thread handed over. @throws UserError when there can be none */
  constructor(given?: OpenFile) {
    this.#path = given?.path ?? join(tmpdir(), `tracejury-${randomUUID()}`);
    this.length = given?.length ?? 0;
    try {
      this.#file = given?.descriptor ?? openSync(this.#path, "wx+", 0o600);
    } catch (error) {
      throw failed("made", error);
    }
    process.once("exit", this.#remove);
    try {
      this.#remove();
      process.removeListener("exit", this.#remove);
    } catch {
      // Removed when it is closed.
    }
  }

  /** Leaves the file to another thread. */
  relinquish(): OpenFile {
    this.#isClosed = true;
    process.removeListener("exit", this.#remove);
    return { descriptor: this.#file, length: this.length, path: this.#path };
  }

  /** Writes bytes behind the others. @throws UserError when they do not fit on the disk */
  append(bytes: Uint8Array): void {
    try {
      for (let at = 0; at < bytes.length;) {
        const written = writeSync(this.#file, bytes, at, bytes.length - at, this.length);
        at += written;
        this.length += written;
      }
    } catch (error) {
      throw failed("written", error);
    }
  }

  /** Fills `into` from a place in the file; gives how many bytes there were. @throws UserError when the disk does not give them */
  read(into: Uint8Array, from: number): number {
    let at = 0;
    try {
      for (let count = 1; count > 0 && at < into.length; at += count)
        count = readSync(this.#file, into, at, into.length - at, from + at);
    } catch (error) {
      throw failed("read", error);
    }
    return at;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
    process.removeListener("exit", this.#remove);
    this.#remove();
  }
}

function failed(what: string, error: unknown): UserError {
  return new UserError(
    `the temporary file that verdicts wait in cannot be ${what}: ${(error as Error).message}`,
    `free some space in ${tmpdir()}, or set TMPDIR to a folder on another disk`,
  );
}
