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

/** Most cache files of one command, for different builds, Node versions and V8 options. */
const MOST_OF_A_COMMAND = 3;

/** The compiled code that one command loads, in a file of its own. */
export class CacheFile {
  readonly #folder: string;
  readonly #command: string;
  readonly #name: string;

  /** `build`: whatever makes compiled code unusable where it differs. */
  constructor(folder: string, command: string, build: string) {
    this.#folder = folder;
    this.#command = command;
    this.#name = `${command}-${build}.bin`;
  }

  /** Empty if there is no usable file, or if another user could have written it. */
  read(uid: number | undefined): CompiledSources {
    try {
      // A link is not followed, where the platform has links.
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

  /** Replaces the file at once, so that no other process reads half of it. Leaves everything as it was where that is not possible. */
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
    // It is in no place where it could be removed, nor written before.
  }
}
