import { closeSync, openSync, readSync } from "node:fs";

/** Bytes that are read in order. */
export interface ByteSource {
  /** Reads bytes into `into`, from index `at`. Returns the number of bytes read; 0 at the end. Throws if reading fails. */
  read(into: Uint8Array, at: number): number | Promise<number>;
  close(): void;
}

export class FileSource implements ByteSource {
  readonly #file: number;
  #position = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
  }

  read(into: Uint8Array, at: number): number {
    const count = readSync(this.#file, into, at, into.length - at, this.#position);
    this.#position += count;
    return count;
  }

  readAt(into: Uint8Array, position: number): number {
    return readSync(this.#file, into, 0, into.length, position);
  }

  close(): void {
    closeSync(this.#file);
  }
}
