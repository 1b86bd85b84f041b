import { lstatSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { makeFolderSync } from "../../../support/process/make-folder.ts";

const NAME = "tracejury";
const OTHERS_WRITE = 0o022;

/** Properties of the machine on which the cache folder depends. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** User id. Undefined on Windows, where all folders in the user's profile belong to the user. */
  readonly uid: number | undefined;
}

export function thisMachine(): Machine {
  return { env: process.env, platform: process.platform, uid: process.getuid?.() };
}

/**
 * Returns the user's folder for compiled code. A missing folder is created with mode 0700. Returns undefined if another user can write to
 * the folder, because code is loaded from it. A missing home folder is not created. Nothing is created in the home folder of another user,
 * to which `HOME` can point under `sudo`.
 */
export function openCacheFolder(machine: Machine): string | undefined {
  const base = baseFolder(machine);
  if (base === undefined) return undefined;
  const folder = join(base, NAME);
  if (isPrivateFolder(folder, machine.uid)) return folder;
  if (!isOwnFolder(base, machine.uid) && !isOwnFolder(dirname(base), machine.uid)) return undefined;
  try {
    makeFolderSync(folder, 0o700);
  } catch {
    return undefined;
  }
  return isPrivateFolder(folder, machine.uid) ? folder : undefined;
}

/** Returns the platform's cache folder. Returns undefined if no environment variable names the folder. */
function baseFolder({ env, platform }: Machine): string | undefined {
  if (platform === "win32") return absolute(env["LOCALAPPDATA"]);
  const stated = absolute(env["XDG_CACHE_HOME"]);
  if (stated !== undefined) return stated;
  const home = absolute(env["HOME"]);
  if (home === undefined) return undefined;
  return platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

function isOwnFolder(path: string, uid: number | undefined): boolean {
  const found = entryAt(path);
  return found?.isDirectory() === true && (uid === undefined || found.uid === uid);
}

/** Whether the path is a folder (and not a link) that belongs to the user, and to which no other user can write. */
function isPrivateFolder(path: string, uid: number | undefined): boolean {
  const found = entryAt(path);
  return found?.isDirectory() === true && isPrivate(found, uid);
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether no user except this one can write to a file with this owner and mode. */
export function isPrivate(
  { uid: owner, mode }: { readonly uid: number; readonly mode: number },
  uid: number | undefined,
): boolean {
  return uid === undefined || (owner === uid && (mode & OTHERS_WRITE) === 0);
}
