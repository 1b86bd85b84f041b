import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OmittedContents } from "./omitted-contents.ts";

/** Only the owner may read and write. */
const PRIVATE = 0o600;

/** Bytes in a temporary file. The file is unlinked directly after it is opened, so it disappears whenever and however the process ends. */
class SpilledBytes {
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
      if (count === 0)
        throw new Error(
          "a temporary file is shorter than the data that was written to it: another program changed the file, or the disk is full",
        );
      read += count;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Limits the total number of bytes of all copies of bodies. */
export class CaptureBudget {
  #taken = 0;
  readonly #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get takenBytes(): number {
    return this.#taken;
  }

  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#bytes) return false;
    this.#taken += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** Limits of memory and disk space for copies of bodies that are not decoded yet. */
export interface CaptureBudgets {
  readonly memory: CaptureBudget;
  /** Temporary files, for copies above the memory limit. */
  readonly files: CaptureBudget;
}

/** Copy of a forwarded body. A copy that becomes too large is dropped; the body is still forwarded. */
export class Capture {
  readonly #budgets: CaptureBudgets;
  readonly #mostBytes: number;
  #chunks: Uint8Array[] = [];
  #memoryBytes = 0;
  /** File with the chunks that did not fit into memory; null if there are none. */
  #file: SpilledBytes | null = null;
  #givenUp: OmittedContents | null = null;

  constructor(budgets: CaptureBudgets, mostBytes: number) {
    this.#budgets = budgets;
    this.#mostBytes = mostBytes;
  }

  add(chunk: Uint8Array): void {
    if (this.#givenUp !== null) return;
    if (this.#bytes + chunk.length > this.#mostBytes) this.#giveUp("body_too_large");
    else if (this.#file === null && this.#budgets.memory.take(chunk.length)) {
      this.#memoryBytes += chunk.length;
      this.#chunks.push(chunk);
    } else if (!this.#spill(chunk)) this.#giveUp("no_memory");
  }

  #spill(chunk: Uint8Array): boolean {
    if (!this.#budgets.files.take(chunk.length)) return false;
    try {
      this.#file ??= SpilledBytes.open();
      this.#file.add(chunk);
      return true;
    } catch {
      this.#budgets.files.release(chunk.length);
      return false;
    }
  }

  #giveUp(reason: OmittedContents): void {
    this.release();
    this.#givenUp = reason;
  }

  /**
   * Ends copying. Returns the copy, or the reason why no copy exists.
   * @param isLate true if no time is left to decode the copy
   */
  take(isLate: boolean): Buffer | OmittedContents {
    if (this.#givenUp !== null) return this.#givenUp;
    if (isLate && this.#bytes > 0) this.#giveUp("not_read_in_time");
    return this.#givenUp ?? this.#takeBody();
  }

  /** The reason why copying has stopped; null if it has not stopped. */
  get givenUp(): OmittedContents | null {
    return this.#givenUp;
  }

  get #bytes(): number {
    return this.#memoryBytes + (this.#file?.length ?? 0);
  }

  #takeBody(): Buffer {
    const body = Buffer.alloc(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      body.set(chunk, at);
      at += chunk.length;
    }
    this.#file?.readInto(body.subarray(at));
    this.release();
    return body;
  }

  release(): void {
    this.#budgets.memory.release(this.#memoryBytes);
    this.#budgets.files.release(this.#file?.length ?? 0);
    this.#file?.close();
    this.#file = null;
    this.#memoryBytes = 0;
    this.#chunks = [];
  }
}
