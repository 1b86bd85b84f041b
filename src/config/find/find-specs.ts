import { readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { globSync, isDynamicPattern } from "tinyglobby";
import { statIfExists } from "../../receive/dump/files/stat-if-exists.ts";
import { fileProblem, type Problem } from "../../spec/document/problems/problem.ts";

export type FoundSpecs =
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Finds the files for values of `--spec` or `specs`: paths, folders (for the YAML files directly in them) or globs, relative to `cwd`.
 * Returns each file once, also if several values name the file in different ways, in the order of `values`; files of a glob are in the order of names. A value that matches no file is reported as
 * a problem.
 */
export function findSpecs(values: readonly string[], cwd: string): FoundSpecs {
  const files = new Map<string, string>();
  const problems: Problem[] = [];
  for (const value of values) {
    const found = filesOf(value, cwd);
    if (found.length === 0) problems.push(nothing(value));
    for (const file of found) if (!files.has(resolve(cwd, file))) files.set(resolve(cwd, file), file);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, files: [...files.values()] };
}

/**
 * Whether a value is a glob or an existing folder in which there is no spec yet. Returns false for the path of a missing file, which is an
 * error.
 */
export function fitsNothingYet(value: string, cwd: string): boolean {
  const isPlace = isDynamicPattern(value) || kindOf(value.replaceAll("\\", "/"), cwd) === "folder";
  return isPlace && filesOf(value, cwd).length === 0;
}

/**
 * Returns the folders in which a new YAML file can be a spec. These are the folders that the values name, the folder part of each glob, and
 * the folders of files that match a glob.
 */
export function specFolders(values: readonly string[], cwd: string): readonly string[] {
  const folders = values.flatMap((value) => {
    const path = value.replaceAll("\\", "/");
    const kind = kindOf(path, cwd);
    if (kind === "folder") return [path.replace(/\/+$/, "")];
    if (kind === "file" || !isDynamicPattern(path)) return [];
    return [dirname(path), ...filesOf(path, cwd).map((file) => dirname(file))];
  });
  return [...new Set(folders)];
}

function filesOf(value: string, cwd: string): string[] {
  const path = value.replaceAll("\\", "/");
  if (path === "") return [];
  const kind = kindOf(path, cwd);
  if (kind === "file") return [path];
  if (kind === "folder") return filesIn(path.replace(/(?<=.)\/+$/, ""), cwd);
  if (kind === "none" && !isDynamicPattern(path)) return [];
  return globSync(path, { cwd, onlyFiles: true, expandDirectories: false }).sort();
}

/** Returns also symbolic links that lead to no file, which cannot be read as a spec and are then reported. */
function filesIn(folder: string, cwd: string): string[] {
  return readdirSync(resolve(cwd, folder))
    .filter((name) => /^[^.].*\.ya?ml$/i.test(name))
    .map((name) => (folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`))
    .filter((path) => kindOf(path, cwd) !== "folder")
    .sort();
}

function kindOf(path: string, cwd: string): "file" | "folder" | "none" {
  const stats = statIfExists(path.startsWith("/") || /^[A-Za-z]:/.test(path) ? path : `${cwd}/${path}`);
  if (stats === undefined) return "none";
  return stats.isDirectory() ? "folder" : "file";
}

function nothing(value: string): Problem {
  const message = isDynamicPattern(value)
    ? `no file matches the pattern ${value}`
    : `no spec was found at ${value}`;
  return fileProblem(
    value,
    "spec/not-found",
    message,
    "write a spec with tracejury init --from DUMP, or name another file or folder; paths on the command line are relative to the working directory",
  );
}
