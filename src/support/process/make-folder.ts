import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/*
 * These functions replace Node's `mkdir` with `recursive`, which never ends if an existing folder answers ENOENT to `mkdir` in it, as
 * `/proc` does.
 */

/** Creates a folder and its missing parents. `mode` is the mode of each created folder. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(path, { mode }).catch(async (error: unknown) => {
      if (!(await isFolder(path))) throw error;
    });
  await make().catch(async (error: unknown) => {
    if (!lacksParent(path, error)) throw error;
    await makeFolder(dirname(path), mode);
    await make();
  });
}

/** Like `makeFolder`, but synchronous. */
export function makeFolderSync(path: string, mode = 0o777): void {
  try {
    makeOneSync(path, mode);
  } catch (error) {
    if (!lacksParent(path, error)) throw error;
    makeFolderSync(dirname(path), mode);
    makeOneSync(path, mode);
  }
}

function makeOneSync(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

function lacksParent(path: string, error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT" && dirname(path) !== path;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
