import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Temporary files for streams, which dumps are read from twice. */
export class Spool {
  #folder: string | undefined;
  #count = 0;

  /** Writes the stream into a file that only this user can read. */
  async take(stream: Readable): Promise<{ path: string; size: number }> {
    this.#folder ??= mkdtempSync(join(tmpdir(), "tracejury-"));
    const path = join(this.#folder, String(this.#count++));
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
    return { path, size: statSync(path).size };
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}
