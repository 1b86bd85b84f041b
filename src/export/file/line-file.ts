import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../support/process/private-files.ts";
import { rotate, type Rotation } from "./rotation.ts";

const lineBreak = 0x0a;

/** Appends whole lines to a file. Creates the file and its folder before the first lines. */
export class LineFile {
  readonly #path: string;
  readonly #rotation: Rotation | null;
  readonly #now: () => number;
  #file: FileHandle | undefined;
  #size = 0;
  #beganUnixMs = 0;
  #mode = PRIVATE_FILE;
  /** Whether the file ends in an incomplete line, after a crash or a failed write. */
  #isTorn = false;

  constructor(path: string, rotation: Rotation | null, now: () => number) {
    this.#path = path;
    this.#rotation = rotation;
    this.#now = now;
  }

  /** Appends all of the lines or none. Rejects if the write fails. */
  async append(lines: readonly Uint8Array[]): Promise<void> {
    const parts = lines.flatMap((line) => [line, newLine]);
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    let file = await this.#opened();
    if (this.#rotation !== null && this.#isDue(this.#rotation, bytes)) {
      await this.close();
      await rotate(this.#path, this.#rotation, this.#now());
      file = await this.#opened();
    }
    try {
      await file.appendFile(Buffer.concat(this.#isTorn ? [newLine, ...parts] : parts));
      this.#size += bytes + (this.#isTorn ? 1 : 0);
      this.#isTorn = false;
    } catch (error) {
      await file.truncate(this.#size).catch(() => (this.#isTorn = true));
      await this.close(); // The next write opens the file again, because it may have been removed.
      throw error;
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }

  #isDue({ maxBytes, maxAgeMs }: Rotation, bytes: number): boolean {
    if (this.#size === 0) return false;
    if (maxBytes !== null && this.#size + bytes > maxBytes) return true;
    return maxAgeMs !== null && this.#now() - this.#beganUnixMs >= maxAgeMs;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#file !== undefined) return this.#file;
    await mkdir(dirname(this.#path), { recursive: true, mode: PRIVATE_FOLDER });
    const file = await open(this.#path, "a+", this.#mode);
    try {
      await this.#look(file);
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    this.#file = file;
    return file;
  }

  /** Reads size, age, mode and last byte of the opened file. */
  async #look(file: FileHandle): Promise<void> {
    const { size, birthtimeMs, mtimeMs, mode } = await file.stat();
    // After a rotation, the new file gets the same mode, because the owner may have changed it.
    this.#mode = mode & 0o777;
    this.#size = size;
    this.#beganUnixMs = size === 0 ? this.#now() : birthtimeMs || mtimeMs;
    if (size === 0) return;
    const last = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    this.#isTorn = last.buffer[0] !== lineBreak;
  }
}

const newLine = Uint8Array.of(lineBreak);
