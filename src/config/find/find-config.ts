import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const CONFIG_NAME = "tracejury.yaml";

/** Who a file or folder belongs to; replaced in tests, which cannot give files away. */
export interface Owners {
  /** User id of this process; undefined where the system has none. */
  readonly own: number | undefined;
  /** User ids of the file, and of what it leads to where it is a link. */
  of(path: string): readonly number[];
}

const systemOwners: Owners = {
  own: process.getuid?.(),
  of: (path) => [lstatSync(path).uid, statSync(path).uid],
};

/**
 * The configuration of a project: `tracejury.yaml` in the working folder, else in the nearest one above up to the folder that holds `.git`. One
 * above is taken only when it and its folder belong to the user, or to root: anyone may put a file, and a `.git`, into a folder such as /tmp.
 * Outside of a repository only the working folder counts.
 * @param onForeign is called with a sentence for each file that is passed over
 * @returns its path relative to `cwd`; undefined where there is none
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
        `${path} is not used: ${foreign} belongs to another user; name it with --config if it is meant`,
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
