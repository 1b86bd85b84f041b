import { createHash } from "node:crypto";
import { constants, createWriteStream, lstatSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openInFolder } from "./open-file.ts";
import type { StoredFile } from "../trace-source.ts";

/** Copies a stored file into the folder. The path of the copy is similar to the name in the store; different names have different paths. */
export async function copyInto(folder: string, { name, open }: StoredFile): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
  const from = await open();
  const file = openInFolder(folder, freePath(folder, name), O_WRONLY | O_CREAT | O_TRUNC);
  await pipeline(from, createWriteStream("", { fd: file }));
}

/**
 * Returns the path for a stored file. In some stores, a name can be that of a file and also of a folder with other files. If so, the name
 * that is created later gets a digest.
 */
function freePath(folder: string, name: string): string {
  const segments = name.split("/").map(safeSegment);
  const folders: string[] = [];
  for (const segment of segments.slice(0, -1)) {
    const isFile = kindOf(join(folder, ...folders, segment)) === "file";
    folders.push(isFile ? `${segment}~${digestOf(`${segment}/`)}` : segment);
  }
  const last = segments.at(-1) ?? "_";
  const isFolder = kindOf(join(folder, ...folders, last)) === "folder";
  return [...folders, isFolder ? `${last}~${digestOf(last)}` : last].join("/");
}

function kindOf(path: string): "file" | "folder" | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : "file";
}

/**
 * Returns a path segment that stays in its folder, is not hidden, and is valid on every operating system. If the segment must be changed
 * for this, the result contains a digest of the original, so that it is unique.
 */
function safeSegment(segment: string): string {
  const safe = segment
    // oxlint-disable-next-line no-control-regex -- the pattern must match control characters
    .replaceAll(/[\u0000-\u001f\u007f<>:"\\|?*~]|[\ud800-\udfff]/gu, "_")
    .replace(/^\.+/, "_")
    .replace(/[. ]+$/, "_");
  if (safe === segment && segment !== "" && Buffer.byteLength(segment) <= LONGEST) return segment;
  return `${shortened(safe)}~${digestOf(segment)}`;
}

/** Maximum length of a path segment in bytes, without its digest. File systems allow 255 bytes. */
const LONGEST = 200;

function shortened(text: string): string {
  let short = text.slice(0, LONGEST);
  while (Buffer.byteLength(short) > LONGEST) short = short.slice(0, -1);
  return short;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
