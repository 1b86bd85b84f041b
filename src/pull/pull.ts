import type { Clock } from "../judge/limits/clock.ts";
import type { SourceAddress, SourceKind } from "./address.ts";
import { OtlpConversion } from "./otlp-lines.ts";
import { countsText, type PullCounts, type PullProgress } from "./pull-progress.ts";
import { PullLimits } from "./pull-limits.ts";
import type { Page, StoredFile, TraceSource } from "./trace-source.ts";
import type { PullWindow } from "./window.ts";
import { StoreClient } from "./store-client.ts";

interface Shown extends Pulled {
  readonly name: string;
  readonly window: PullWindow;
  readonly counts: PullCounts;
  readonly isResumed: boolean;
}

/** Sources by kind of store. The code of a source is loaded on first use. */
const sources: Readonly<Record<SourceKind, () => Promise<TraceSource>>> = {
  phoenix: async () => (await import("./sources/phoenix.ts")).phoenixPages,
  langfuse: async () => (await import("./sources/langfuse.ts")).langfusePages,
  mlflow: async () => (await import("./sources/mlflow.ts")).mlflowPages,
  clickhouse: async () => (await import("./sources/clickhouse.ts")).clickhousePages,
  s3: async () => (await import("./sources/s3.ts")).s3Pages,
  tempo: async () => (await import("./sources/tempo.ts")).tempoPages,
  jaeger: async () => (await import("./sources/jaeger.ts")).jaegerPages,
};

interface OpenSourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly window: PullWindow;
  readonly limits: PullLimits;
  readonly onWait: (reason: string, ms: number) => void;
  readonly onGap: (message: string) => void;
}

/** One page of a pull. */
export interface PulledPart {
  /** Lines of OTLP/JSON. */
  readonly text: string;
  /** Telemetry files as they are stored. */
  readonly files: readonly StoredFile[];
  /** Counts of the whole pull so far. */
  readonly counts: PullCounts;
  /** Cursor of the next page; null if this is the last page. */
  readonly next: string | null;
  readonly isLast: boolean;
}

export interface PullOptions {
  readonly window: PullWindow;
  /** Maximum number of traces. */
  readonly limit: number | undefined;
  /** Cursor at which an unfinished pull stopped; null for a new pull. */
  readonly cursor: string | null;
  /** Counts of the unfinished pull; zeros for a new pull. */
  readonly earlier: PullCounts;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly progress: PullProgress;
}

export interface Pulled {
  readonly isLimited: boolean;
  /** Problems of spans that were left out. */
  readonly invalid: readonly string[];
  /** Descriptions of data that the store did not return. */
  readonly gaps: readonly string[];
}

/**
 * Reads a store page by page. Each page is passed to `onPart` and written before the next page is read.
 * @throws PullError
 */
export async function pull(
  address: SourceAddress,
  { window, limit = Infinity, cursor, earlier, env, clock, progress }: PullOptions,
  onPart: (part: PulledPart) => Promise<void> | void,
): Promise<Pulled> {
  // For other stores the option is a filter. Phoenix stores no services, so the option is the service name of
  // its traces.
  const service = address.kind === "phoenix" ? address.options.get("service") : undefined;
  const conversion = new OtlpConversion(limit, earlier.traces, service);
  const invalid: string[] = [];
  const gaps: string[] = [];
  let { spans, files } = earlier;
  try {
    const limits = new PullLimits(address.name, address.kind);
    const pages = sourcePages(address, cursor, {
      limits,
      env,
      clock,
      window,
      onWait: (reason, ms) => progress.waiting(reason, ms),
      onGap: (message) => gaps.push(message),
    });
    for await (const page of pages) {
      const before = conversion.traces;
      const converted = conversion.convert(page);
      invalid.push(...converted.invalid);
      spans += converted.spans;
      files += page.files?.length ?? 0;
      const counts = { spans, traces: conversion.traces, files };
      const text = converted.spans === 0 ? "" : converted.lines.map((line) => `${line}\n`).join("");
      const isLast = page.next === null || conversion.isComplete;
      await onPart({ text, files: page.files ?? [], counts, next: page.next, isLast });
      progress.pulled(counts);
      if (isLast) break;
      limits.pageEnded(page.next, conversion.traces > before);
    }
    return { isLimited: conversion.isComplete, invalid, gaps };
  } finally {
    progress.done();
  }
}

/** Yields the pages of a store, beginning at a cursor. */
async function* sourcePages(
  address: SourceAddress,
  cursor: string | null,
  { env, clock, window, limits, onWait, onGap }: OpenSourceOptions,
): AsyncGenerator<Page> {
  const org = address.options.get("org");
  const headers: Record<string, string> = org === undefined ? {} : { "x-scope-orgid": org };
  const client = new StoreClient(address, { env, clock, onWait, limits }, headers);
  const source = await sources[address.kind]();
  yield* source({ address, window, client, clock, limits, env, onGap }, cursor);
}

/** Returns a line with source, time and counts. If the limit was reached, a second line follows. */
export function pulledText({ name, window, counts, isResumed, isLimited }: Shown): string {
  const what = counts.spans + counts.files === 0 ? "no trace" : countsText(counts);
  const before = isResumed ? ", with earlier pulls" : "";
  const limit = isLimited ? `\n  the limit of ${counts.traces} traces is reached: there may be more` : "";
  return `${name}: ${what} from ${timeText(window.sinceMs)} to ${timeText(window.untilMs)}${before}${limit}\n`;
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
