import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** The telemetry of one recorded application. */
export interface Recording {
  /** Path relative to the searched folder. */
  readonly name: string;
  readonly files: readonly string[];
}

/** One OTLP/JSON export request. */
export interface ExportRequest {
  readonly signal: "traces" | "logs";
  readonly document: Json;
}

export type Json = Readonly<Record<string, unknown>>;

/** Files with telemetry in a folder that has an `expected.json`. */
const filesBesideTruth = ["traces.jsonl", "logs.jsonl"];

/** Folders with the project's recordings. */
export const ownRecordings: readonly string[] = ["test/fixtures/runs", "adapters"];

/**
 * Recordings in the folders and their subfolders. A folder with an `expected.json` is one recording; elsewhere each `.jsonl` file is one.
 * @throws Error if there are none
 */
export function recordingsBelow(folders: readonly string[]): readonly Recording[] {
  const found = folders.flatMap((folder) => search(folder, folder));
  if (found.length === 0) throw new Error(`no recordings below ${folders.join(", ")}`);
  return found;
}

function search(root: string, folder: string): Recording[] {
  const names = readdirSync(folder).sort();
  if (names.includes("expected.json")) {
    const files = filesBesideTruth.map((name) => join(folder, name)).filter((file) => existsSync(file));
    return [{ name: relative(root, folder) || ".", files }];
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return search(root, path);
    return name.endsWith(".jsonl") ? [{ name: relative(root, path), files: [path] }] : [];
  });
}

/** The requests of a recording in the order of its files, without those that have neither spans nor log records. */
export function requestsOf({ files }: Recording): ExportRequest[] {
  return files
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => line.trim() !== "")
    .flatMap((line): ExportRequest[] => {
      const document = JSON.parse(line) as Json;
      if (document["resourceSpans"] !== undefined) return [{ signal: "traces", document }];
      return document["resourceLogs"] === undefined ? [] : [{ signal: "logs", document }];
    });
}
