import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

export interface Rotation {
  /** Maximum size in bytes; null for no limit. */
  readonly maxBytes: number | null;
  /** Maximum age in milliseconds; null for no limit. */
  readonly maxAgeMs: number | null;
  /** Maximum number of rotated files. The oldest rotated files above this number are deleted. */
  readonly keep: number;
}

/**
 * Returns the rotated files of a file, oldest first. The rotated files of `verdicts.jsonl` have names such as
 * `verdicts-2026-01-31T23-59-59.999Z.jsonl`.
 */
export async function rotatedFiles(path: string): Promise<readonly string[]> {
  const { stem, extension } = partsOf(path);
  const names = await readdir(dirname(path)).catch((): string[] => []);
  const stamp = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z(-\d+)?$/;
  return names
    .filter((name) => name.startsWith(stem) && name.endsWith(extension))
    .filter((name) => stamp.test(name.slice(stem.length, name.length - extension.length)))
    .sort()
    .map((name) => join(dirname(path), name));
}

/** Renames the file so that its name contains the current time, and deletes the oldest rotated files above `keep`. */
export async function rotate(path: string, { keep }: Rotation, nowUnixMs: number): Promise<void> {
  const { stem, extension } = partsOf(path);
  const stamp = new Date(nowUnixMs).toISOString().replaceAll(":", "-");
  const there = new Set(await rotatedFiles(path));
  let aside = join(dirname(path), `${stem}-${stamp}${extension}`);
  for (let copy = 2; there.has(aside); copy++)
    aside = join(dirname(path), `${stem}-${stamp}-${copy}${extension}`);
  await rename(path, aside);
  const files = await rotatedFiles(path);
  for (const old of files.slice(0, Math.max(0, files.length - keep))) await rm(old, { force: true });
}

function partsOf(path: string): { stem: string; extension: string } {
  const extension = extname(path);
  return { stem: basename(path, extension), extension };
}
