import { readFileSync, realpathSync, statSync } from "node:fs";
import type { ReadResult, SourceReader } from "../../spec/document/source-reader.ts";

const largest = 16 * 1024 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "no permission to read it",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "its name is too long",
};

/** Reads specs, configurations and what they include from the disk. */
export const fileReader: SourceReader = { read: readSource };

function readSource(path: string): ReadResult {
  try {
    const realPath = realpathSync(path);
    const { size } = statSync(realPath);
    if (size > largest) return { ok: false, reason: `it is larger than ${largest / 1024 / 1024} MiB` };
    return { ok: true, text: readFileSync(realPath, "utf8"), realPath: slashes(realPath) };
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    return { ok: false, reason: reasons[code] ?? message };
  }
}

function slashes(path: string): string {
  return path.replaceAll("\\", "/");
}
