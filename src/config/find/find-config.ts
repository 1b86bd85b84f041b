import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const CONFIG_NAME = "tracejury.yaml";

/** Owners of files and folders. Tests replace this interface, because tests cannot change owners. */
export interface Owners {
  /** User id of this process; undefined if the operating system has no user ids. */
  readonly own: number | undefined;
  /** Returns the user ids of a file and, for a symbolic link, of its target. */
  of(path: string): readonly number[];
}

const systemOwners: Owners = {
  own: process.getuid?.(),
  of: (path) => [lstatSync(path).uid, statSync(path).uid],
};

/**
 * Finds the configuration of a project: `tracejury.yaml` in the working folder, or in the nearest parent folder up to the one with `.git`.
 * Outside a repository, searches only the working folder. If the file is in a parent folder, both file and folder must belong to the user
 * or to root: in a folder such as /tmp, any user can create them.
 * @param onForeign receives a message about each skipped file, to show it to the user
 * @returns path of the configuration, relative to `cwd`; undefined if none was found
 */
export function findConfig(
  cwd: string,
  onForeign: (message: string) => void = () => undefined,
  owners: Owners = systemOwners,
): string | undefined {
  const top = repositoryOf(cwd) ?? resolve(cwd);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_NAME);
    if (existsSync(path)) {
      const foreign = folder === resolve(cwd) ? undefined : [path, folder].find((one) => !isOwn(one, owners));
      if (foreign === undefined) return relative(cwd, path) || CONFIG_NAME;
      onForeign(
        `${path} is not used: ${foreign} belongs to another user. To use this configuration, name it with --config`,
      );
    }
    if (folder === top || folder === dirname(folder)) return undefined;
  }
}

function isOwn(path: string, owners: Owners): boolean {
  const { own } = owners;
  return own === undefined || owners.of(path).every((uid) => uid === own || uid === 0);
}

function repositoryOf(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
