import { appendFileSync, existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../judge/limits/clock.ts";
import { parseLimit, parseSourceAddress, type SourceAddress } from "./address.ts";
import { sourcePages } from "./open-source.ts";
import { OtlpConversion } from "./otlp-lines.ts";
import type { PullProgress } from "./pull-progress.ts";
import { PullState, type SourceState } from "./pull-state.ts";
import { windowOf, type WindowTexts } from "./window.ts";

/** A pull without `--since` begins so much before the end of the last one: spans come late. */
const OVERLAP_MS = 10 * 60_000;

export interface PullAsked extends WindowTexts {
  /** Most traces. */
  readonly limit?: number | undefined;
}

export interface PullToFolderOptions {
  readonly asked: PullAsked;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly progressFor: (name: string) => PullProgress;
}

export interface PulledToFolder {
  readonly name: string;
  /** Undefined where no trace was found. */
  readonly file: string | undefined;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly spans: number;
  readonly traces: number;
  readonly isResumed: boolean;
  readonly isLimited: boolean;
  /** Spans that were left out, and why. */
  readonly invalid: readonly string[];
  /** What the store did not give. */
  readonly gaps: readonly string[];
}

/**
 * Writes the traces of a store into a file of the folder, as lines of OTLP/JSON, page by page. The folder's state file says how far it is: the same
 * again goes on with an unfinished pull, and after a finished one without `--since` where that ended.
 * @throws PullError
 */
export async function pullToFolder(source: string, options: PullToFolderOptions): Promise<PulledToFolder> {
  const address = parseSourceAddress(source);
  const asked = askedOf(address, options.asked);
  mkdirSync(options.folder, { recursive: true });
  const state = new PullState(options.folder);
  const key = [address.name, ...[...address.options].filter(([name]) => !(name in asked)).flat()].join(" ");
  const { start, isResumed } = startOf(address, asked, state.get(key), options.clock.now());
  const path = join(options.folder, start.file);
  state.save(key, start);
  if (existsSync(path)) truncateSync(path, start.bytes);
  const window = { sinceMs: start.since_ms, untilMs: start.until_ms };
  const conversion = new OtlpConversion(asked.limit ?? Infinity, start.traces);
  const progress = options.progressFor(address.name);
  const invalid: string[] = [];
  const gaps: string[] = [];
  let now: SourceState = start;
  try {
    const pages = sourcePages(address, start.cursor, {
      env: options.env,
      clock: options.clock,
      window,
      onWait: (reason, ms) => progress.waiting(reason, ms),
      onGap: (message) => gaps.push(message),
    });
    for await (const page of pages) {
      const { lines, spans, next, invalid: refused } = conversion.convert(page);
      invalid.push(...refused);
      const text = lines.map((line) => `${line}\n`).join("");
      if (spans > 0) appendTo(path, text, now.bytes === 0);
      now = {
        ...now,
        bytes: now.bytes + (spans > 0 ? Buffer.byteLength(text) : 0),
        cursor: next,
        spans: now.spans + spans,
        traces: conversion.traces,
        is_done: next === null || conversion.isComplete,
      };
      state.save(key, now);
      progress.pulled(now);
      if (conversion.isComplete) break;
    }
    state.save(key, { ...now, is_done: true });
  } finally {
    progress.done();
  }
  return {
    name: address.name,
    file: now.bytes === 0 ? undefined : path,
    ...window,
    spans: now.spans,
    traces: now.traces,
    isResumed,
    isLimited: conversion.isComplete,
    invalid,
    gaps,
  };
}

/** What an address asks for itself comes first. */
function askedOf({ options }: SourceAddress, asked: PullAsked): PullAsked {
  const limit = options.get("limit");
  return {
    since: options.get("since") ?? asked.since,
    until: options.get("until") ?? asked.until,
    limit: limit === undefined ? asked.limit : parseLimit(limit),
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
    file: fileNameOf(address, nowMs),
    since_ms: goesOn ? last.until_ms - OVERLAP_MS : window.sinceMs,
    until_ms: window.untilMs,
    bytes: 0,
    cursor: null,
    spans: 0,
    traces: 0,
    is_done: false,
  };
  return { start, isResumed: false };
}

/** A folder's first page creates the file, readable by its owner alone: traces hold what people wrote. */
function appendTo(path: string, text: string, isFirst: boolean): void {
  if (isFirst) writeFileSync(path, text, { mode: 0o600 });
  else appendFileSync(path, text);
}

function fileNameOf({ name }: SourceAddress, nowMs: number): string {
  const slug = name
    .replace(/:https?:\/\//, "-")
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/-+$/, "")
    .slice(0, 150);
  return `${slug}-${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "")}.jsonl`;
}
