import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { confinedPath } from "../../support/process/confined.ts";
import { ToolError } from "./tool.ts";

/** The only folder that tools can access. This limits the damage that a manipulated model can do. */
export class Folder {
  readonly path: string;

  /** @throws Error if the folder does not exist */
  constructor(path: string) {
    this.path = realpathSync(path);
  }

  /**
   * Returns the real path of an existing file or folder in this folder.
   * @throws ToolError if the path does not exist or is outside of this folder, or if a visible entry below it links outside
   */
  existing(name: string): string {
    const real = this.writable(name);
    if (statSync(real, { throwIfNoEntry: false }) === undefined)
      throw new ToolError(`${name} does not exist: give a path relative to ${this.path}`);
    this.#refuseLinksOutside(real);
    return real;
  }

  /**
   * Returns the path to which a file in this folder is written. Symbolic links are resolved.
   * @throws ToolError if the path is outside of this folder
   */
  writable(name: string): string {
    try {
      return confinedPath(this.path, relative(this.path, resolve(this.path, name)));
    } catch {
      throw new ToolError(
        `${name} is outside ${this.path}, the only folder of this server: start the server in another folder, or with --root`,
      );
    }
  }

  /** Checks the files that a command reads from a folder: all except hidden ones. */
  #refuseLinksOutside(path: string, seen = new Set<string>()): void {
    if (seen.has(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
    seen.add(path);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      const inside = join(path, entry.name);
      if (entry.isSymbolicLink()) this.#refuseLinksOutside(this.writable(inside), seen);
      else if (entry.isDirectory()) this.#refuseLinksOutside(inside, seen);
    }
  }

  /** Returns a path relative to this folder, for messages. */
  shown(path: string): string {
    return relative(this.path, path) || ".";
  }
}
