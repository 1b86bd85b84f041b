import { realpathSync } from "node:fs";
import { dirname, join, relative, resolve, isAbsolute, sep } from "node:path";
import { ToolError } from "./tool.ts";

/** The one folder whose files the tools may touch: a model that was talked into something gets no further. */
export class Folder {
  readonly path: string;

  /** @throws when there is no such folder */
  constructor(path: string) {
    this.path = realpathSync(path);
  }

  /** The real path of a file or folder in it. @throws ToolError */
  existing(name: string): string {
    let real: string;
    try {
      real = realpathSync(resolve(this.path, name));
    } catch {
      throw new ToolError(`${name} is not there: give a path relative to ${this.path}`);
    }
    return this.#inside(name, real);
  }

  /** Where a file would be written: its folder exists, and is in here. @throws ToolError */
  writable(name: string): string {
    const path = resolve(this.path, name);
    const folder = this.existing(relative(this.path, dirname(path)) || ".");
    return this.#inside(name, join(folder, path.slice(dirname(path).length)));
  }

  /** As people write it. */
  shown(path: string): string {
    return relative(this.path, path) || ".";
  }

  #inside(name: string, real: string): string {
    const way = relative(this.path, real);
    if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
      throw new ToolError(
        `${name} is outside ${this.path}, the folder this server works in: start it there, or with --root`,
      );
    }
    return real;
  }
}
