import { closeSync, createWriteStream, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

class SpoolFile {
  readonly path: string;
  readonly #file: number;
  size = 0;

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, "w", 0o600);
  }

  write(text: string): void {
    this.size += writeSync(this.#file, text);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Temporary files of this process. Dumps are read twice, so a stream is copied into a file first. */
export class Spool {
  #folder: string | undefined;
  #count = 0;

  /** Copies a stream into a temporary file that only the current user can read. */
  async take(stream: Readable): Promise<{ path: string; size: number }> {
    const path = this.#next();
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
    return { path, size: statSync(path).size };
  }

  /** Writes text into a temporary file that only the current user can read. */
  write(pieces: Iterable<string>): { path: string; size: number } {
    const path = this.#next();
    const file = openSync(path, "w", 0o600);
    try {
      for (const piece of pieces) writeSync(file, piece);
    } finally {
      closeSync(file);
    }
    return { path, size: statSync(path).size };
  }

  /** Opens a temporary file to which text can be appended. The caller must close the file. */
  open(): SpoolFile {
    return new SpoolFile(this.#next());
  }

  #next(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), "tracejury-"));
    return join(this.#folder, String(this.#count++));
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}
