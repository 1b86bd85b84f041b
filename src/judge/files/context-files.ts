import { dirname } from "node:path";
import type { SpecJudging } from "../../evaluate/judge/ask/session.ts";
import { readConfined } from "../../support/process/confined.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Returns a function that reads a `context_file` relative to a spec's folder. The function reads each file once, and returns undefined if
 * the file is unreadable or larger than 4 MiB.
 */
function contextFiles(specFile: string): (path: string) => string | undefined {
  const read = new Map<string, string | undefined>();
  return (path) => {
    if (!read.has(path)) read.set(path, readText(dirname(specFile), path));
    return read.get(path);
  };
}

function readText(folder: string, path: string): string | undefined {
  try {
    return readConfined(folder, path, MAX_BYTES);
  } catch {
    return undefined;
  }
}

/** Returns the judge settings of one spec: `judge_config`, and a reader for context files. */
export function specJudging(spec: Pick<CompiledSpec, "file" | "judgeConfig">): SpecJudging {
  return { settings: spec.judgeConfig, contextFile: contextFiles(spec.file) };
}
