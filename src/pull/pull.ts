import type { Clock } from "../judge/limits/clock.ts";
import type { SourceAddress, SourceKind } from "./address.ts";
import { OtlpConversion } from "./otlp-lines.ts";
import { countsText, type PullCounts, type PullProgress } from "./pull-progress.ts";
import { PullLimits } from "./pull-limits.ts";
import type { Page, StoredFile, TraceSource } from "./trace-source.ts";
import type { PullWindow } from "./window.ts";
import { type ClientOptions, StoreClient } from "./store-client.ts";

interface Shown extends Pulled {
  readonly name: string;
  readonly window: PullWindow;
  readonly counts: PullCounts;
  readonly isResumed: boolean;
}

/** Sources by kind of store. The code of a source is loaded when it is first used. */
const sources: Readonly<Record<SourceKind, () => Promise<TraceSource>>> = {
  phoenix: async () => (await import("./sources/phoenix.ts")).phoenixPages,
  langfuse: async () => (await import("./sources/langfuse.ts")).langfusePages,
  mlflow: async () => (await import("./sources/mlflow.ts")).mlflowPages,
  clickhouse: async () => (await import("./sources/clickhouse.ts")).clickhousePages,
  s3: async () => (await import("./sources/s3.ts")).s3Pages,
  tempo: async () => (await import("./sources/tempo.ts")).tempoPages,
  jaeger: async () => (await import("./sources/jaeger.ts")).jaegerPages,
};

interface OpenSourceOptions extends ClientOptions {
  readonly window: PullWindow;
  readonly onGap: (message: string) => void;
}

export interface PulledPart {
  /** Traces of the page, as lines of OTLP/JSON. */
  readonly text: string;
  /** Telemetry files of the page, to be copied unchanged. */
  readonly files: readonly StoredFile[];
  /** Counts from the beginning of the pull to this page. */
  readonly counts: PullCounts;
  /** Cursor of the next page; null if this page is the last. */
  readonly next: string | null;
  readonly isLast: boolean;
  readonly problems: PullProblems;
}

export interface PullOptions {
  readonly window: PullWindow;
  /** Maximum number of traces. */
  readonly limit: number | undefined;
  /** Cursor at which an interrupted pull ended; null for a new pull. */
  readonly cursor: string | null;
  /** Counts and problems of the interrupted pull; empty for a new pull. */
  readonly earlier: PullCounts & PullProblems;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly progress: PullProgress;
}

export interface PullProblems {
  /** Problems of spans that could not be converted. */
  readonly invalid: readonly string[];
  /** Descriptions of data that the store did not return. */
  readonly gaps: readonly string[];
}

export interface Pulled extends PullProblems {
  readonly isLimited: boolean;
}

/**
 * Reads a store page by page. Passes each page to `onPart`, which writes it before the next page is read.
 * Rejects with `UserError` if the store cannot be read.
 */
export async function pull(
  address: SourceAddress,
  { window, limit = Infinity, cursor, earlier, env, clock, progress }: PullOptions,
  onPart: (part: PulledPart) => Promise<void> | void,
): Promise<Pulled> {
  // Phoenix stores no service names. So for Phoenix, the option `service` sets the service name of all traces; for other stores, it is a
  // filter.
  const service = address.kind === "phoenix" ? address.options.get("service") : undefined;
  const conversion = new OtlpConversion(limit, earlier.traces, service);
  const invalid = [...earlier.invalid];
  const gaps = [...earlier.gaps];
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
      await onPart({
        text,
        files: page.files ?? [],
        counts,
        next: page.next,
        isLast,
        problems: { invalid, gaps },
      });
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

/** Returns a line with source, period and counts, and a second line if the limit was reached. */
export function pulledText({ name, window, counts, isResumed, isLimited }: Shown): string {
  const what = counts.spans + counts.files === 0 ? "no trace" : countsText(counts);
  const before = isResumed ? ", with earlier pulls" : "";
  const limit = isLimited
    ? `\n  the limit of ${counts.traces} traces is reached; the store may have more traces`
    : "";
  return `${name}: ${what} from ${timeText(window.sinceMs)} to ${timeText(window.untilMs)}${before}${limit}\n`;
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
