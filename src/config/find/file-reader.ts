import { realpathSync, statSync } from "node:fs";
import { readRegular } from "../../support/process/confined.ts";
import type { ReadResult, SourceReader } from "../../spec/document/source-reader.ts";

const largest = 16 * 1024 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "no permission to read the file",
  ENOTDIR: "a part of the path is not a folder",
  ELOOP: "the symbolic links of the path are circular",
  ENAMETOOLONG: "the file name is too long",
};

/** Reads specs, configurations and included files from disk. */
export const fileReader: SourceReader = { read: readSource };

function readSource(path: string): ReadResult {
  try {
    const realPath = realpathSync(path);
    const stats = statSync(realPath);
    if (stats.isDirectory()) return { ok: false, reason: "the path is a folder" };
    if (!stats.isFile()) return { ok: false, reason: "the path is not a regular file" };
    if (stats.size > largest)
      return { ok: false, reason: `the file is larger than ${largest / 1024 / 1024} MiB` };
    return { ok: true, text: readRegular(realPath, largest), realPath: slashes(realPath) };
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    return { ok: false, reason: reasons[code] ?? message };
  }
}

function slashes(path: string): string {
  return path.replaceAll("\\", "/");
}
