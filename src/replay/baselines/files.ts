import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { BaselineEntry } from "../../report/baseline/baseline-index.ts";
import { readBaseline } from "../../report/baseline/file/file-format.ts";
import { escapeControls } from "../../support/structures/control-characters.ts";
import type { JsonObject } from "../../model/json.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { confinedPath, OutsideError, readConfined, writeConfined } from "../../support/process/confined.ts";
import { UserError } from "../../support/process/io.ts";

/** Maximum size of a baseline file in bytes. */
const MOST_BYTES = 256 * 2 ** 20;
const MOST_FILES = 50_000;

export interface ReadBaselines {
  readonly entries: readonly BaselineEntry[];
  /** Errors of files that could not be read, one line each. */
  readonly problems: readonly string[];
}

/**
 * Returns the baseline folder of a spec: `given`; if it is absent, the spec's `baseline_dir`.
 * @param given folder from `--baseline-dir` or from the configuration
 * @throws UserError if the spec's `baseline_dir` is used and is outside the spec's folder
 */
export function baselineDir(spec: CompiledSpec, given: string | null | undefined): string {
  if (given != null) return given;
  try {
    return confinedPath(dirname(spec.file), spec.baselineDir);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    throw new UserError(
      `${spec.file}: baseline_dir ${JSON.stringify(spec.baselineDir)} is outside the spec's folder`,
      "set the folder with --baseline-dir, or with baseline_dir in tracejury.yaml",
    );
  }
}

/**
 * Returns the path `<dir>/<agent>/<query-id>/<version>.json`, or `<version>~N.json` for the Nth accepted
 * variant.
 */
export function baselineFile(
  dir: string,
  name: {
    readonly agent: string;
    readonly queryId: string;
    readonly version: string;
    readonly variant: number;
  },
): string {
  const variant = name.variant > 1 ? `~${name.variant}` : "";
  return join(dir, fileName(name.agent), fileName(name.queryId), `${name.version}${variant}.json`);
}

/** Converts a name into a path segment that is valid on every operating system. Special characters become `%XX`; `*` becomes `any`. */
function fileName(name: string): string {
  if (name === "*") return "any";
  const safe = name.replaceAll(/[^\p{L}\p{N}_. +@~-]/gu, encode).replace(/^\.|[. ]$/, encode);
  return safe === "" ? "%00" : safe;
}

function encode(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`)
    .join("");
}

/** Reads all baselines below a folder, including AgentCI's, which are at `<agent>/<version>.json`. A missing folder counts as empty. */
export function readBaselines(dir: string): ReadBaselines {
  const entries: BaselineEntry[] = [];
  const problems: string[] = [];
  for (const file of baselineFiles(dir)) {
    const read = readBaselineFile(file);
    if (typeof read === "string") problems.push(read);
    else entries.push(read);
  }
  return { entries, problems };
}

/** Reads a baseline file. Returns an error message if the file is invalid. */
export function readBaselineFile(file: string): BaselineEntry | string {
  try {
    const text = readConfined(dirname(file), basename(file), MOST_BYTES);
    const read = readBaseline(text, basename(file, ".json"));
    return typeof read === "string" ? `${file}: ${read}` : { file, baseline: read };
  } catch (error) {
    return `${file}: ${(error as Error).message}`;
  }
}

/** Returns the files below a folder that may be baselines, ordered by name. A missing folder counts as empty. */
export function baselineFiles(dir: string): readonly string[] {
  const found: string[] = [];
  const visit = (folder: string, depth: number): void => {
    for (const entry of sortedEntries(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < 3) visit(path, depth + 1);
      else if (entry.isFile() && depth > 0 && entry.name.endsWith(".json") && found.length < MOST_FILES)
        found.push(path);
    }
  };
  visit(dir, 0);
  return found;
}

function sortedEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw new UserError(`the folder of baselines ${folder} cannot be read: ${message}`);
  }
}

/**
 * Writes a baseline to `file`, which is below `dir`, and creates missing folders. Returns `replaced` if the file existed, otherwise `new`.
 */
export function writeBaseline(dir: string, file: string, baseline: JsonObject): "new" | "replaced" {
  try {
    const before = statSync(file, { throwIfNoEntry: false });
    const text = `${escapeControls(JSON.stringify(baseline, null, 2))}\n`;
    writeConfined(dir, relative(dir, file), text, 0o666);
    return before === undefined ? "new" : "replaced";
  } catch (error) {
    throw new UserError(`the baseline ${file} cannot be written: ${(error as Error).message}`);
  }
}
