import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, ftruncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderSync } from "../../support/process/make-folder.ts";
import { openInFolder } from "./open-file.ts";
import { copyInto } from "./copy-file.ts";
import type { Clock } from "../../judge/limits/clock.ts";
import { rangeOf, parseSourceAddress, type PullRange } from "../address.ts";
import { pull, type Pulled } from "../pull.ts";
import type { PullCounts, PullProgress } from "../pull-progress.ts";
import { PullState, type SourceState } from "./pull-state.ts";
import { type PullWindow, windowOf } from "../window.ts";

/** Milliseconds by which a pull without `--since` overlaps the last pull, because spans can reach the store late. */
const OVERLAP_MS = 10 * 60_000;
/** Maximum number of problems that the state file contains for an interrupted pull. A complete pull needs none. */
const MAX_PROBLEMS = 1000;

export interface PullToFolderOptions {
  readonly range: PullRange;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly progressFor: (name: string) => PullProgress;
}

export interface PulledToFolder extends Pulled {
  readonly name: string;
  /** The file or folder that was written; undefined if there was no data. */
  readonly path: string | undefined;
  readonly window: PullWindow;
  readonly counts: PullCounts;
  readonly isResumed: boolean;
}

/**
 * Writes the traces of a store page by page into a file of the folder, as lines of OTLP/JSON. If the store contains files, copies them into
 * a subfolder. The progress is recorded in a state file, so the same request continues an interrupted pull. After a complete pull, a
 * request without `--since` begins `OVERLAP_MS` before the end of the period of the last pull.
 * Rejects with `UserError` if the store cannot be read, or the folder cannot be written.
 */
export async function pullToFolder(source: string, options: PullToFolderOptions): Promise<PulledToFolder> {
  const { folder, env, clock, progressFor } = options;
  const address = parseSourceAddress(source);
  const range = rangeOf(address, options.range);
  makeFolderSync(folder);
  const state = new PullState(folder);
  const key = [address.name, ...[...address.options].filter(([name]) => !(name in range)).flat()].join(" ");
  const slug = slugOf(key, state.sources);
  const { start, isResumed } = startOf(folder, slug, range, state.get(key), clock.now());
  const path = join(folder, start.file);
  state.save(key, start);
  if (existsSync(path)) withFile(folder, start.file, O_WRONLY, (file) => ftruncateSync(file, start.bytes));
  const window = { sinceMs: start.since_ms, untilMs: start.until_ms };
  const filesFolder = join(folder, slug);
  let now: SourceState = start;
  const pulled = await pull(
    address,
    {
      window,
      limit: range.limit,
      cursor: start.cursor,
      earlier: start,
      env,
      clock,
      progress: progressFor(address.name),
    },
    async ({ text, files, counts, next, isLast, problems }) => {
      if (text !== "")
        withFile(folder, start.file, O_WRONLY | O_CREAT | O_APPEND, (file) => writeFileSync(file, text));
      for (const file of files) await copyInto(filesFolder, file);
      now = {
        ...now,
        ...counts,
        bytes: now.bytes + Buffer.byteLength(text),
        cursor: next,
        is_done: isLast,
        gaps: isLast ? [] : problems.gaps.slice(0, MAX_PROBLEMS),
        invalid: isLast ? [] : problems.invalid.slice(0, MAX_PROBLEMS),
      };
      state.save(key, now);
    },
  );
  const { spans, traces, files } = now;
  const written = files > 0 ? filesFolder : now.bytes > 0 ? path : undefined;
  return {
    ...pulled,
    name: address.name,
    path: written,
    window,
    counts: { spans, traces, files },
    isResumed,
  };
}

function startOf(
  folder: string,
  slug: string,
  range: PullRange,
  last: SourceState | undefined,
  nowMs: number,
): { readonly start: SourceState; readonly isResumed: boolean } {
  const text = JSON.stringify(range);
  if (last?.is_done === false && last.asked === text) return { start: last, isResumed: last.cursor !== null };
  const window = windowOf(range, nowMs);
  const fromMs = range.since === undefined ? last && readUntilMs(last) : undefined;
  const start: SourceState = {
    asked: text,
    file: freeFile(folder, `${slug}-${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`),
    since_ms: fromMs !== undefined && fromMs < window.untilMs ? fromMs : window.sinceMs,
    until_ms: window.untilMs,
    bytes: 0,
    cursor: null,
    spans: 0,
    traces: 0,
    files: 0,
    is_done: false,
    gaps: [],
    invalid: [],
  };
  return { start, isResumed: false };
}

/** Returns the time from which the next pull must read, so that nothing is missing: an interrupted pull is not continued, but read again. */
function readUntilMs({ is_done: isDone, since_ms: sinceMs, until_ms: untilMs }: SourceState): number {
  return isDone ? untilMs - OVERLAP_MS : sinceMs;
}

/** Returns the name of a new file. Pulls that begin in the same second have different files. */
function freeFile(folder: string, name: string): string {
  let file = `${name}.jsonl`;
  for (let number = 2; existsSync(join(folder, file)); number++) file = `${name}-${number}.jsonl`;
  return file;
}

const { O_WRONLY, O_CREAT, O_APPEND } = constants;

/**
 * Opens a file, calls `use`, and closes the file.
 * @throws UserError if a symbolic link leads out of the folder
 */
function withFile(folder: string, name: string, flags: number, use: (file: number) => void): void {
  const file = openInFolder(folder, name, flags);
  try {
    use(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the name of a source's file or folder. If the name is that of an earlier source with another address or other options, appends a
 * digest.
 */
function slugOf(key: string, sources: readonly string[]): string {
  const slug = plainSlug(key);
  const owner = sources.find((source) => plainSlug(source) === slug) ?? key;
  return owner === key ? slug : `${slug}-${createHash("sha256").update(key).digest("hex").slice(0, 12)}`;
}

/** @param key address and options of a source, separated by spaces */
function plainSlug(key: string): string {
  const [name = ""] = key.split(" ");
  return name
    .replace(/:(?:https?:)?\/\//, "-")
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/-+$/, "")
    .slice(0, 150);
}
