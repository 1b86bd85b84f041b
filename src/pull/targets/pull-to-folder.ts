import {
  appendFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../../judge/limits/clock.ts";
import { askedOf, parseSourceAddress, type PullAsked, type SourceAddress } from "../address.ts";
import { pull, type Pulled } from "../pull.ts";
import type { PullCounts, PullProgress } from "../pull-progress.ts";
import { PullState, type SourceState } from "./pull-state.ts";
import type { StoredFile } from "../trace-source.ts";
import { type PullWindow, windowOf } from "../window.ts";

/** A pull without `--since` begins so much before the end of the last one: spans come late. */
const OVERLAP_MS = 10 * 60_000;

export interface PullToFolderOptions {
  readonly asked: PullAsked;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly progressFor: (name: string) => PullProgress;
}

export interface PulledToFolder extends Pulled {
  readonly name: string;
  /** The file, or the folder of files, that was written; undefined where nothing was found. */
  readonly path: string | undefined;
  readonly window: PullWindow;
  readonly counts: PullCounts;
  readonly isResumed: boolean;
}

/**
 * Writes the traces of a store into a file of the folder, as lines of OTLP/JSON, page by page; stored files are copied into a folder in it. The
 * folder's state file says how far it is: the same again goes on with an unfinished pull, and after a finished one without `--since` where that
 * ended.
 * @throws PullError
 */
export async function pullToFolder(source: string, options: PullToFolderOptions): Promise<PulledToFolder> {
  const { folder, env, clock, progressFor } = options;
  const address = parseSourceAddress(source);
  const asked = askedOf(address, options.asked);
  mkdirSync(folder, { recursive: true });
  const state = new PullState(folder);
  const key = [address.name, ...[...address.options].filter(([name]) => !(name in asked)).flat()].join(" ");
  const { start, isResumed } = startOf(address, asked, state.get(key), clock.now());
  const path = join(folder, start.file);
  state.save(key, start);
  if (existsSync(path)) truncateSync(path, start.bytes);
  const window = { sinceMs: start.since_ms, untilMs: start.until_ms };
  const filesFolder = join(folder, slugOf(address));
  let now: SourceState = start;
  const pulled = await pull(
    address,
    {
      window,
      limit: asked.limit,
      cursor: start.cursor,
      earlier: start,
      env,
      clock,
      progress: progressFor(address.name),
    },
    async ({ text, files, counts, next, isLast }) => {
      if (text !== "") appendTo(path, text, now.bytes === 0);
      for (const file of files) await copyInto(filesFolder, file);
      now = {
        ...now,
        ...counts,
        bytes: now.bytes + Buffer.byteLength(text),
        cursor: next,
        is_done: isLast,
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
  address: SourceAddress,
  asked: PullAsked,
  last: SourceState | undefined,
  nowMs: number,
): { readonly start: SourceState; readonly isResumed: boolean } {
  const text = JSON.stringify(asked);
  if (last?.is_done === false && last.asked === text) return { start: last, isResumed: last.cursor !== null };
  const window = windowOf(asked, nowMs);
  const goesOn = last?.is_done === true && asked.since === undefined && last.until_ms < window.untilMs;
  const start: SourceState = {
    asked: text,
    file: `${slugOf(address)}-${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "")}.jsonl`,
    since_ms: goesOn ? last.until_ms - OVERLAP_MS : window.sinceMs,
    until_ms: window.untilMs,
    bytes: 0,
    cursor: null,
    spans: 0,
    traces: 0,
    files: 0,
    is_done: false,
  };
  return { start, isResumed: false };
}

/** The first page creates the file, readable by its owner alone: traces hold what people wrote. */
function appendTo(path: string, text: string, isFirst: boolean): void {
  if (isFirst) writeFileSync(path, text, { mode: 0o600 });
  else appendFileSync(path, text);
}

async function copyInto(folder: string, { name, open }: StoredFile): Promise<void> {
  const path = join(folder, ...name.split("/").map(safeSegment));
  mkdirSync(dirname(path), { recursive: true });
  await pipeline(await open(), createWriteStream(path, { mode: 0o600 }));
}

/** A part of a path that stays in its folder, is not hidden, and can be a name on every system. */
function safeSegment(segment: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  const safe = segment.replaceAll(/[\u0000-\u001f<>:"\\|?*]/g, "_").replace(/^\.+/, "_");
  return safe === "" ? "_" : safe.slice(0, 200);
}

function slugOf({ name }: SourceAddress): string {
  return name
    .replace(/:(?:https?:)?\/\//, "-")
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/-+$/, "")
    .slice(0, 150);
}
