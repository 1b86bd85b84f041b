import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../support/process/io.ts";

/** An open file that threads of one process can use together. */
export interface OpenFile {
  readonly descriptor: number;
  readonly length: number;
  readonly path: string;
}

/** Number of bytes that are collected before they are written. */
const MOST_WAITING = 1 << 20;
/** Minimum number of bytes that are read at once. */
const READ_AHEAD = 256 << 10;

/**
 * A temporary file that only the current user can read. The file is unlinked directly after opening, so that it disappears when the process
 * ends. On systems where an open file cannot be removed, the file is removed when it is closed or the process exits.
 */
export class TemporaryFile {
  /** Number of appended bytes. */
  length: number;
  readonly #path: string;
  readonly #file: number;
  readonly #remove = (): void => rmSync(this.#path, { force: true });
  #waiting: Uint8Array[] = [];
  #written: number;
  /** Bytes of the last read, which began at offset `#readFrom`. */
  #read = Buffer.alloc(0);
  #readFrom = 0;
  #isClosed = false;

  /**
   * @param given file from another thread; by default, a new file is created
   * @throws UserError if the file cannot be created
   */
  constructor(given?: OpenFile) {
    this.#path = given?.path ?? join(tmpdir(), `tracejury-${randomUUID()}`);
    this.length = this.#written = given?.length ?? 0;
    this.#file = given?.descriptor ?? orFail("made", () => openSync(this.#path, "wx+", 0o600));
    process.once("exit", this.#remove);
    try {
      this.#remove();
      process.removeListener("exit", this.#remove);
    } catch {
      // This system cannot remove an open file, so the file is removed when it is closed.
    }
  }

  /** Returns the open file, to be used by another thread. This thread must not use the file afterwards. */
  relinquish(): OpenFile {
    this.#flush();
    this.#isClosed = true;
    process.removeListener("exit", this.#remove);
    return { descriptor: this.#file, length: this.length, path: this.#path };
  }

  /**
   * Appends a text.
   * @throws UserError if the text cannot be written
   */
  append(text: string): void {
    const bytes = Buffer.from(text);
    this.#waiting.push(bytes);
    this.length += bytes.length;
    if (this.length - this.#written >= MOST_WAITING) this.#flush();
  }

  /**
   * Reads bytes from an offset. The result is valid until the next call.
   * @throws UserError if reading fails
   */
  read(from: number, length: number): Buffer {
    this.#flush();
    const at = from - this.#readFrom;
    if (at >= 0 && at + length <= this.#read.length) return this.#read.subarray(at, at + length);
    const size = Math.min(Math.max(length, READ_AHEAD), this.length - from);
    this.#read = Buffer.allocUnsafe(size);
    this.#readFrom = from;
    orFail("read", () => {
      for (let got = 0; got < size;) {
        const count = readSync(this.#file, this.#read, got, size - got, from + got);
        if (count === 0)
          throw new Error(
            "the file is shorter than the data that was written to it: another program changed the file, or the disk is full",
          );
        got += count;
      }
    });
    return this.#read.subarray(0, length);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
    process.removeListener("exit", this.#remove);
    this.#remove();
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    orFail("written", () => {
      for (let at = 0; at < bytes.length;) {
        const count = writeSync(this.#file, bytes, at, bytes.length - at, this.#written);
        at += count;
        this.#written += count;
      }
    });
  }
}

function orFail<Result>(what: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw new UserError(
      `the temporary file of verdicts cannot be ${what}: ${(error as Error).message}`,
      `free some space in ${tmpdir()}, or set TMPDIR to a folder on another disk`,
    );
  }
}
