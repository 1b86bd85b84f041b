import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";

/** The dumps as a whole cannot be read: a name that leads nowhere, a folder without files. Its message is for the user. */
export class DumpError extends Error {}

/** A file to read. */
export interface DumpPath {
  /** As it is to be shown. */
  readonly name: string;
  readonly path: string;
  /** Named by the user, by itself or by a pattern; a file found in a folder may turn out to be something else. */
  readonly named: boolean;
  /** Bytes on disk. */
  readonly size: number;
  /** Memory in use that delays further reading. */
  readonly invalid?: readonly { readonly line: number; readonly reason: string }[];
}

/**
 * The files that an argument of the command line stands for: a file, a folder (recursively, without hidden entries, sorted by name) or a
 * pattern. Throws a `DumpError` when there is none.
 */
export async function findDumps(name: string): Promise<DumpPath[]> {
  const stat = statSync(name, { throwIfNoEntry: false });
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

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? [path] : [];
  });
}

async function matching(pattern: string): Promise<DumpPath[]> {
  if (!isDynamicPattern(pattern)) throw new DumpError(`${pattern}: no such file or folder`);
  const paths = await glob(pattern, { expandDirectories: false, onlyFiles: false });
  if (paths.length === 0) throw new DumpError(`${pattern}: no file matches`);
  return paths.sort().flatMap((path) => {
    const stat = statSync(path);
    return stat.isDirectory() ? inFolder(path) : [{ name: path, path, named: true, size: stat.size }];
  });
}
