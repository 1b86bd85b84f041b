import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { looksLikeDump } from "../../receive/dump/dumps.ts";
import { DumpError, type DumpPath, findDumps } from "../../receive/dump/files/paths.ts";
import { parseFormatPath } from "../../report/render/formats/format-names.ts";
import { statIfExists } from "../../receive/dump/files/stat-if-exists.ts";

const HEAD_BYTES = 1 << 16;

/**
 * Returns the paths of reports that would replace a dump in a folder that the command reads, or a dump that matches a pattern. A report may
 * replace an earlier report there.
 * @param outputs values of `--output`
 * @param dumps files, folders and patterns
 */
export async function replacedDumps(
  outputs: readonly string[],
  dumps: readonly string[],
): Promise<readonly string[]> {
  const paths = outputs.flatMap((text) => parseFormatPath(text)?.path ?? []);
  const written = paths.filter((path) => statIfExists(path)?.isFile() === true && isDump(path));
  if (written.length === 0) return [];
  const read = new Set((await Promise.all(dumps.map(filesOf))).flat().map(({ path }) => realpathSync(path)));
  return written.filter((path) => read.has(realpathSync(path)));
}

/** Returns no files for a name that cannot be read, which is reported when the dumps are opened. */
async function filesOf(name: string): Promise<readonly DumpPath[]> {
  try {
    return await findDumps(name);
  } catch (error) {
    if (error instanceof DumpError) return [];
    throw error;
  }
}

/** Whether a file is binary, such as a compressed dump, or begins like telemetry. Reports are texts. */
function isDump(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const head = bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0));
    return head.includes(0) || head[0] === 0x1f || looksLikeDump(head.toString("utf8"));
  } finally {
    closeSync(file);
  }
}
