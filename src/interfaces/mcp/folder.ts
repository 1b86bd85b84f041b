import { existsSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { confinedPath } from "../../support/process/confined.ts";
import { ToolError } from "./tool.ts";

/** The only folder that tools can access. It limits what a manipulated model can do. */
export class Folder {
  readonly path: string;

  /** @throws when there is no such folder */
  constructor(path: string) {
    this.path = realpathSync(path);
  }

  /** The real path of a file or folder in it. @throws ToolError */
  existing(name: string): string {
    const real = this.writable(name);
    if (existsSync(real)) return real;
    throw new ToolError(`${name} is not there: give a path relative to ${this.path}`);
  }

  /** Where a file would be written: in here, symbolic links resolved. @throws ToolError */
  writable(name: string): string {
    try {
      return confinedPath(this.path, relative(this.path, resolve(this.path, name)));
    } catch {
      throw new ToolError(
        `${name} is outside ${this.path}, the folder this server works in: start it there, or with --root`,
      );
    }
  }

  /** As people write it. */
  shown(path: string): string {
    return relative(this.path, path) || ".";
  }
}
