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

/** Maximum number of cache files for a command. Each build, Node version and set of V8 options needs a file of its own. */
const MOST_OF_A_COMMAND = 3;

export class CacheFile {
  readonly #folder: string;
  readonly #command: string;
  readonly #name: string;

  /** @param build text that differs if anything differs on which compiled code depends */
  constructor(folder: string, command: string, build: string) {
    this.#folder = folder;
    this.#command = command;
    this.#name = `${command}-${build}.bin`;
  }

  /** Reads the cache. Returns an empty map if there is no usable file, or if another user could have written the file. */
  read(uid: number | undefined): CompiledSources {
    try {
      // Symbolic links are not followed, on platforms that can refuse to.
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

  /** Replaces the file atomically, so that no other process reads a partial file. If writing fails, the existing file is not changed. */
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
    // There is no temporary file to remove, because the folder is not writable.
  }
}
