import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";
import { statIfExists } from "./stat-if-exists.ts";

/** The dumps cannot be read, for example because a name matches no file. The message is for the user. */
export class DumpError extends Error {}

export interface DumpPath {
  /** Name of the file for messages. */
  readonly name: string;
  readonly path: string;
  /**
   * Whether the user named the file, directly or by a pattern. If not, the file was found in a folder, and may contain something other than
   * telemetry.
   */
  readonly named: boolean;
  /** Size on disk in bytes. */
  readonly size: number;
  /** Records of another store's format that could not be converted, each with the reason. */
  readonly invalid?: readonly { readonly line: number; readonly reason: string }[];
}

/**
 * Returns the files that a command-line argument names: a file, a folder, or a pattern. Folders are searched recursively, without hidden
 * entries, sorted by name; symbolic links are followed. Throws `DumpError` if there is no file, or if a link leads nowhere.
 */
export async function findDumps(name: string): Promise<DumpPath[]> {
  const stat = statOf(name);
  if (stat === undefined) return matching(name);
  return stat.isDirectory() ? inFolder(name) : [{ name, path: name, named: true, size: stat.size }];
}

function inFolder(folder: string): DumpPath[] {
  const files = listFiles(folder).map((path) => ({
    name: path,
    path,
    named: false,
    size: statSync(path).size,
  }));
  if (files.length === 0) throw new DumpError(`${folder}: the folder has no files`);
  return files;
}

/** @param seen real paths of the folders that were already listed, because symbolic links can form a cycle */
function listFiles(folder: string, seen = new Set<string>()): string[] {
  const real = realpathSync(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  const names = readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .sort((a, b) => (a < b ? -1 : 1));
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stat = statOf(path);
    if (stat?.isDirectory() === true) return listFiles(path, seen);
    return stat?.isFile() === true ? [path] : [];
  });
}

/** @throws DumpError if a symbolic link leads nowhere */
function statOf(path: string): Stats | undefined {
  const stat = statIfExists(path);
  if (stat === undefined && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new DumpError(
      `${path}: this symbolic link leads to no file: remove the link, or restore its target`,
    );
  return stat;
}

async function matching(pattern: string): Promise<DumpPath[]> {
  if (!isDynamicPattern(pattern)) throw new DumpError(`${pattern}: no such file or folder`);
  const paths = await glob(pattern, { expandDirectories: false, onlyFiles: false });
  if (paths.length === 0) throw new DumpError(`${pattern}: no file matches this pattern`);
  return paths.sort().flatMap((path) => {
    const stat = statSync(path);
    return stat.isDirectory() ? inFolder(path) : [{ name: path, path, named: true, size: stat.size }];
  });
}
