import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isPrivate } from "./cache-folder.ts";
import { type CompiledSources, decodeCompiled, encodeCompiled } from "./compiled-code.ts";

/** Maximum number of cache files of one command, for different builds, Node versions and V8 options. */
const MOST_OF_A_COMMAND = 3;

/** Cache file with the compiled code that one command loads. */
export class CacheFile {
  readonly #folder: string;
  readonly #command: string;
  readonly #name: string;

  /** @param build identifies everything that compiled code depends on */
  constructor(folder: string, command: string, build: string) {
    this.#folder = folder;
    this.#command = command;
    this.#name = `${command}-${build}.bin`;
  }

  /**
   * Reads the cache. The result is empty if there is no usable file, or if another user could have written
   * the file.
   */
  read(uid: number | undefined): CompiledSources {
    try {
      // Symbolic links are not followed, if the platform has them.
      const file = openSync(join(this.#folder, this.#name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        const found = fstatSync(file);
        return found.isFile() && isPrivate(found, uid) ? decodeCompiled(readFileSync(file)) : new Map();
      } finally {
        closeSync(file);
      }
    } catch {
      return new Map();
    }
  }

  /**
   * Replaces the file atomically, so that no other process reads a partial file. If that is not possible,
   * nothing changes.
   */
  write(sources: CompiledSources): void {
    const temporary = join(this.#folder, `${this.#name}.${process.pid}`);
    try {
      writeFileSync(temporary, encodeCompiled(sources), { mode: 0o600, flag: "wx" });
      renameSync(temporary, join(this.#folder, this.#name));
      this.#removeOld();
    } catch {
      removeQuietly(temporary);
    }
  }

  #removeOld(): void {
    const files = readdirSync(this.#folder)
      .filter((name) => name.startsWith(`${this.#command}-`))
      .map((name) => join(this.#folder, name))
      .map((path) => ({ path, writtenMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.writtenMs - a.writtenMs);
    for (const { path } of files.slice(MOST_OF_A_COMMAND)) rmSync(path, { force: true });
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder is not writable, so there is nothing to remove.
  }
}
