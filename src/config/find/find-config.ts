import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const CONFIG_NAME = "tracejury.yaml";

/**
 * The configuration of a project: `tracejury.yaml` in the working folder, else in the nearest one above up to the folder that holds `.git`.
 * Outside of a repository only the working folder counts, so that no file of another user is taken.
 * @returns its path relative to `cwd`; undefined where there is none
 */
export function findConfig(cwd: string): string | undefined {
  const top = repositoryOf(cwd) ?? resolve(cwd);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_NAME);
    if (existsSync(path)) return relative(cwd, path) || CONFIG_NAME;
    if (folder === top || folder === dirname(folder)) return undefined;
  }
}

function repositoryOf(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
