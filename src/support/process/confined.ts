import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { PRIVATE_FILE } from "./private-files.ts";
import { basename, dirname, isAbsolute, join, relative, resolve, sep, win32 } from "node:path";
import { makeFolderSync } from "./make-folder.ts";

/** A path from a spec, a state file or a store leads outside of the allowed folder. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
}

/**
 * Returns the path of a file or folder below `root`, with symbolic links resolved. The file need not exist. Use `confinedPath` for paths
 * that a spec, a state file, a store or a model contains, not for paths from the command line, which may be anywhere.
 * @throws OutsideError if the path is absolute, or leads outside of the root, directly or through a link
 */
export function confinedPath(root: string, path: string): string {
  if (
    isAbsolute(path) ||
    win32.isAbsolute(path) ||
    path.includes("\0") ||
    !isInside(resolve(root), resolve(root, path))
  )
    throw new OutsideError(`${JSON.stringify(path)} is outside of ${root}`);
  const top = resolveExisting(resolve(root));
  const realRoot = join(top.real, top.missing);
  const { real, missing } = resolveExisting(join(realRoot, path));
  const found = join(real, missing);
  if (isInside(realRoot, found)) return found;
  throw new OutsideError(`${JSON.stringify(path)} is outside of ${root}: a symbolic link leads there`);
}

/**
 * Reads a regular file below `root` as text.
 * @throws OutsideError if the path leads outside of the root
 * @throws Error if the file does not exist, is not regular, or is larger than `mostBytes` bytes
 */
export function readConfined(root: string, path: string, mostBytes: number): string {
  return readRegular(confinedPath(root, path), mostBytes);
}

/**
 * Reads a regular file as text. Pipes and devices are rejected. The last part of the path must not be a symbolic link.
 * @throws Error if the file does not exist, is not regular, or is larger than `mostBytes` bytes
 */
export function readRegular(path: string, mostBytes: number): string {
  const file = openRegular(path, constants.O_RDONLY);
  try {
    if (fstatSync(file).size > mostBytes) throw new Error(`${path} is larger than ${mostBytes} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a regular file below `root`. If the flags allow creating the file, missing folders are created, too.
 * @param flags such as `O_WRONLY | O_CREAT | O_TRUNC`
 * @throws OutsideError if the path leads outside of the root
 */
export function openConfined(root: string, path: string, flags: number, mode = PRIVATE_FILE): number {
  const real = confinedPath(root, path);
  if ((flags & constants.O_CREAT) !== 0) makeFolderSync(dirname(real));
  return openRegular(real, flags, mode);
}

/**
 * Writes a file below `root`, and replaces its content. With the default mode, only the owner can access the file, even if it existed with
 * another mode.
 * @throws OutsideError if the path leads outside of the root
 */
export function writeConfined(root: string, path: string, content: string, mode = PRIVATE_FILE): void {
  const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
  const file = openConfined(root, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
  try {
    if (mode === PRIVATE_FILE) takeFromOthers(file);
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
}

function takeFromOthers(file: number): void {
  try {
    fchmodSync(file, PRIVATE_FILE);
  } catch {
    // Ignored: the file belongs to another user, or the file system has no modes, so access to the file cannot be restricted.
  }
}

/**
 * Opens a regular file. Does not block if the path is a pipe. Does not follow a symbolic link that was created after the path was checked.
 */
function openRegular(path: string, flags: number, mode?: number): number {
  // Windows does not have these flags.
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  const file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, mode);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error(`${path} is not a regular file`);
}

/** Returns the real path of the longest existing part of a path, and the segments that do not exist. */
function resolveExisting(path: string): { readonly real: string; readonly missing: string } {
  const missing: string[] = [];
  let existing = path;
  while (lstatSync(existing, { throwIfNoEntry: false }) === undefined && dirname(existing) !== existing) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  try {
    return { real: realpathSync(existing), missing: missing.join(sep) };
  } catch {
    throw new OutsideError(`${existing} is a symbolic link to a file or folder that does not exist`);
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
