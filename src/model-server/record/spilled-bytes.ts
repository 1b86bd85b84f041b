import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Only the owner may read and write. */
const PRIVATE = 0o600;

/** Bytes in a temporary file without a name, which disappears when the process ends, for any reason. */
export class SpilledBytes {
  readonly #file: number;
  #length = 0;

  private constructor(file: number) {
    this.#file = file;
  }

  /** @throws if the file cannot be opened */
  static open(): SpilledBytes {
    const path = join(tmpdir(), `tracejury-${randomUUID()}`);
    const file = openSync(path, "wx+", PRIVATE);
    unlinkSync(path);
    return new SpilledBytes(file);
  }

  get length(): number {
    return this.#length;
  }

  /** @throws if the write fails */
  add(bytes: Uint8Array): void {
    let written = 0;
    while (written < bytes.length)
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#length + written);
    this.#length += bytes.length;
  }

  /** Fills the buffer with all bytes of the file. */
  readInto(buffer: Uint8Array): void {
    let read = 0;
    while (read < this.#length) {
      const count = readSync(this.#file, buffer, read, this.#length - read, read);
      if (count === 0) throw new Error("a temporary file is shorter than the written data");
      read += count;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
