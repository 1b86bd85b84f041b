import type { CompiledSpec } from "../evaluate/query/compiled.ts";
import { attributesNeeded } from "../match/rules/where.ts";
import type { Readable } from "node:stream";
import { unlimitedTraceTimeouts } from "../assemble/timeouts/trace-timeouts.ts";
import type { Trace } from "../assemble/trace.ts";
import type { Config } from "../config/config.ts";
import type { AgentRun } from "../model/run.ts";
import type { LogView, SpanView } from "../model/telemetry/span-view.ts";
import type { StitchOptions } from "../runs/waiting/stitch-options.ts";
import type { ConversationRules } from "../pipeline/conversation/conversations.ts";
import { type Pipeline, SPANS_PER_RELEASE } from "../pipeline/pipeline.ts";
import { DumpError, type DumpPath } from "../receive/dump/files/paths.ts";
import type { DumpItem } from "../receive/dump/records/dump-item.ts";
import { isSourceAddress } from "../pull/address.ts";
import { type DumpFetcher, type Dumps, openDumps } from "../receive/dump/dumps.ts";
import type { Spool } from "../receive/dump/files/spool.ts";
import type { LastPositions } from "../receive/dump/index/last-positions.ts";
import type { InvalidInput } from "../report/render/json/result.ts";
import { heapGrowth } from "../receive/admission/garbage.ts";
import { type Io, UserError, write } from "../support/process/io.ts";
import type { TraceFault } from "../pipeline/faults/faulty-run.ts";
import { createEngine } from "./engine.ts";
import { isCollectorAddress } from "./reports/collector-address.ts";
import { type Progress, progressBar } from "./progress-bar.ts";
import type { Share } from "./workers/shares.ts";

/** Maximum number of traces whose file names are retained until their runs are assembled. Limits the memory of a long replay. */
const MOST_TRACES = 50_000;

/** Records which files contain each trace, for runs whose spans and log records are in several files. */
class RunFiles {
  readonly #filesByTraceId = new Map<string, readonly string[]>();

  add({ traceId, spans, uncorrelatedLogs }: Trace): void {
    const files = new Set(this.#filesByTraceId.get(traceId));
    const add = ({ source }: SpanView | LogView): void => void (source && files.add(source.file));
    for (const span of spans) {
      add(span);
      span.logs.forEach(add);
    }
    uncorrelatedLogs.forEach(add);
    this.#filesByTraceId.delete(traceId);
    this.#filesByTraceId.set(traceId, [...files]);
    if (this.#filesByTraceId.size <= MOST_TRACES) return;
    for (const oldest of this.#filesByTraceId.keys()) {
      this.#filesByTraceId.delete(oldest);
      break;
    }
  }

  /** If the traces of a run are in several files, adds the names of the files to the run. Returns the run. */
  addTo(run: AgentRun): AgentRun {
    const found = new Set(run.traceIds.flatMap((id) => this.#filesByTraceId.get(id) ?? []));
    if (found.size < 2) return run;
    const first = run.source?.file ?? run.turns?.[0]?.source?.file;
    const others = [...found].filter((file) => file !== first).toSorted();
    return Object.defineProperty(run, "sources", {
      value: first === undefined ? others : [first, ...others],
      configurable: true,
    });
  }
}

export interface ReplayOptions {
  readonly config: Pick<Config, "attributes" | "prices"> & Partial<Pick<Config, "assemble" | "dialects">>;
  readonly stdin: Readable;
  /** Environment variables with credentials for the stores from which dumps are fetched. Default: the variables of the process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Pause in milliseconds that separates conversations. If undefined, runs are not grouped. */
  readonly conversationIdleMs?: number | undefined;
  readonly onRun: (run: AgentRun) => void;
  /** Called with each trace before its runs are assembled. */
  readonly onTrace?: (trace: Trace) => void;
  /** Awaited before more input is read, so that reading waits for slow judge models and runs do not accumulate. */
  readonly room?: () => Promise<void>;
  /** Terminal on which the progress of a long replay is shown. */
  readonly terminal?: NodeJS.WriteStream | undefined;
  /** Replaces the progress bar on the terminal. */
  readonly progress?: Progress | undefined;
  /** Size in bytes above which dumps are first indexed and then read. */
  readonly longBytes?: number | undefined;
  /** This thread's part, if several threads read the dumps. */
  readonly sharing?: Sharing | undefined;
}

/** The part of the dumps that one thread replays, if several threads read the same dumps. */
export interface Sharing extends Pick<StitchOptions, "setAside" | "elsewhere"> {
  readonly share: Share;
}

/** Returns the streams and variables of a command that a replay needs. */
export function replayIo({ stdin, env, stderr }: Io): Pick<ReplayOptions, "stdin" | "env" | "terminal"> {
  return { stdin, env, terminal: stderr };
}

/** Returns the configuration with the attributes that the specs need. */
export function configFor<Given extends Pick<Config, "attributes">>(
  config: Given,
  specs: readonly CompiledSpec[],
): Given {
  return { ...config, attributes: [...config.attributes, ...attributesNeeded(specs)] };
}

/** Reads all runs of dumps. */
export async function runsIn(
  dumps: readonly string[],
  options: Omit<ReplayOptions, "onRun">,
): Promise<{ readonly runs: AgentRun[]; readonly invalid: readonly InvalidInput[] }> {
  const runs: AgentRun[] = [];
  const { invalid } = await replay(dumps, { ...options, onRun: (run) => runs.push(run) });
  return { runs, invalid };
}

/** Prints unreadable input with its position, one line each. */
export async function writeInvalid(io: Io, invalid: readonly InvalidInput[], before = ""): Promise<void> {
  for (const { file, line, reason } of invalid)
    await write(io.stderr, `${before}${file}${line === null ? "" : `:${line}`}: ${reason}\n`);
}

/** Returns the problems of `others` that are not in `known`. If the same input is read twice, its problems are thus reported once. */
export function notAmong(
  known: readonly InvalidInput[],
  others: readonly InvalidInput[],
): readonly InvalidInput[] {
  const keys = new Set(known.map((one) => JSON.stringify(one)));
  return others.filter((one) => !keys.has(JSON.stringify(one)));
}

/** Input that a replay could not use. */
export interface Replayed {
  readonly invalid: readonly InvalidInput[];
  /** Files without telemetry that were found in folders. */
  readonly skipped: readonly string[];
  /** True if the replay stopped early, because the dumps cannot be divided among several threads. */
  readonly isSpoiled?: true;
}

/**
 * Size in bytes above which dumps are first indexed, so that memory stays constant. Smaller dumps are read once, and all traces are closed
 * at the end.
 */
const READ_ONCE_BYTES = 64 * 2 ** 20;
/** Assumed compression ratio of compressed files, to estimate their decompressed size. */
const COMPRESSION = 10;

/** Replays dumps through the engine of the collector. The result does not depend on the order of the input or on the clock. */
export async function replay(names: readonly string[], options: ReplayOptions): Promise<Replayed> {
  const dumps = await openReplay(names, options);
  try {
    return await replayDumps(dumps, options);
  } finally {
    dumps.close();
  }
}

/** Replays opened dumps. The caller closes the dumps. */
export async function replayDumps(dumps: Dumps, options: Omit<ReplayOptions, "stdin">): Promise<Replayed> {
  const { sharing, progress = progressBar(options.terminal) } = options;
  const isLong = isLongReplay(dumps, options.longBytes);
  // Limits the growth of V8's heap. Otherwise garbage would grow to several times the used memory in a long replay.
  const keepNarrow = heapGrowth();
  // V8's settings apply to all threads of the process, so only a sole reader or the main thread sets them.
  const isSole = sharing === undefined;
  try {
    if (isSole) keepNarrow(isLong);
    const ends = sharing?.share.ends ?? (isLong ? await dumps.lastPositions() : undefined);
    const faults: InvalidInput[] = [];
    const files = dumps.files.length > 1 ? new RunFiles() : undefined;
    const { pipeline, assembler } = createEngine({
      timeouts: unlimitedTraceTimeouts,
      quietMs: Infinity,
      maxPauseMs: options.config.assemble?.maxAgeMs,
      attributes: options.config.attributes,
      prices: options.config.prices,
      dialects: options.config.dialects,
      seed: 0,
      conversations: replayed(options.conversationIdleMs),
      onRun: (run) => {
        progress.ran();
        options.onRun(files?.addTo(run) ?? run);
      },
      onFault: (fault) => faults.push(invalidBy(fault)),
      onTrace:
        files === undefined
          ? options.onTrace
          : (trace) => {
              files.add(trace);
              options.onTrace?.(trace);
            },
      joining: { setAside: sharing?.setAside, elsewhere: sharing?.elsewhere },
    });
    const isSpoiled = (): boolean =>
      sharing !== undefined &&
      (sharing.share.spoiled() !== undefined || assembler.counts.uncorrelatedLogs > 0);
    const read = await readInto(pipeline, dumps, ends, {
      room: options.room,
      progress,
      share: sharing?.share,
      isSpoiled,
    });
    if (isSpoiled()) return { ...read, isSpoiled: true };
    progress.expect(assembler.openTraces);
    pipeline.drain("eof", 0);
    return { ...read, invalid: [...read.invalid, ...faults] };
  } finally {
    keepNarrow(false);
    progress.done();
  }
}

/** Returns how a replay groups runs into conversations. A conversation ends only by a pause between runs, not by a timer. */
function replayed(idleMs: number | undefined): ConversationRules | undefined {
  return idleMs === undefined ? undefined : { idleMs, keptMs: Infinity, mostRuns: Infinity };
}

/**
 * Opens the named dumps, stores and collectors.
 * @throws UserError if a name matches no file, or a store cannot be read
 */
export async function openReplay(
  names: readonly string[],
  { stdin, env = process.env, terminal }: Pick<ReplayOptions, "stdin" | "env" | "terminal">,
): Promise<Dumps> {
  const fetcher: DumpFetcher = (name, spool) => {
    if (isCollectorAddress(name)) return served(name, spool, env, terminal);
    return isSourceAddress(name) ? pulled(name, spool, env, terminal) : undefined;
  };
  try {
    return await openDumps(names, { stdin, fetcher });
  } catch (error) {
    if (error instanceof DumpError) throw new UserError(error.message);
    throw error;
  }
}

async function served(
  name: string,
  spool: Spool,
  env: NodeJS.ProcessEnv,
  stderr: NodeJS.WriteStream | undefined,
): Promise<readonly DumpPath[]> {
  const { servedToSpool } = await import("./reports/served-dump.ts");
  return await servedToSpool(name, spool, { token: env["TRACEJURY_TOKEN"], stderr });
}

async function pulled(
  name: string,
  spool: Spool,
  env: NodeJS.ProcessEnv,
  terminal: NodeJS.WriteStream | undefined,
): Promise<readonly DumpPath[]> {
  const { pullToSpool } = await import("../pull/targets/pull-to-spool.ts");
  return await pullToSpool(name, spool, { env, stderr: terminal });
}

/** Whether the dumps are large enough to be first indexed and then read. */
export function isLongReplay(dumps: Dumps, longBytes = READ_ONCE_BYTES): boolean {
  return contents(dumps) > longBytes;
}

function contents(dumps: Dumps): number {
  return dumps.files.reduce(
    (sum, { name, size }) => sum + size * (/\.(gz|zst|zstd)$/.test(name) ? COMPRESSION : 1),
    0,
  );
}

interface Reading {
  readonly room: (() => Promise<void>) | undefined;
  readonly progress: Progress;
  readonly share: Share | undefined;
  readonly isSpoiled: () => boolean;
}

async function readInto(
  pipeline: Pipeline,
  dumps: Dumps,
  ends: Pick<LastPositions, "take"> | undefined,
  { room, progress, share, isSpoiled }: Reading,
): Promise<Replayed> {
  const total = Math.max(1, dumps.length ?? contents(dumps));
  const invalid: InvalidInput[] = [];
  const skipped: string[] = [];
  let spans = 0;
  const take = (item: DumpItem): void => {
    if (item.kind === "invalid") invalid.push({ file: item.file, line: item.line, reason: item.reason });
    else if (item.kind === "skipped") skipped.push(item.file);
    else {
      if (!item.isElsewhere) noteRejected(item, invalid);
      pipeline.accept(item.batch, 0, share?.whyLeftOut);
      if (ends === undefined) return;
      spans += item.batch.spanCount;
      if (spans < SPANS_PER_RELEASE) return;
      spans = 0;
      pipeline.close(ends.take(item.position), "eof", 0);
      progress.at(item.position / total);
    }
  };
  for await (const chunk of dumps.read(share?.reading)) {
    for (const item of chunk) take(item);
    if (isSpoiled()) break;
    if (room !== undefined) await room();
  }
  return { invalid, skipped };
}

/** Converts an exception that a trace caused into an entry of the invalid input. */
export function invalidBy({ traceId, source, message }: TraceFault): InvalidInput {
  const { file, line } = source ?? { file: `trace ${traceId}`, line: null };
  return { file, line, reason: source === undefined ? message : `trace ${traceId}: ${message}` };
}

/** Adds one entry for the rejected spans of an item to the list of invalid input. */
function noteRejected(
  { batch, file, line }: Extract<DumpItem, { kind: "batch" }>,
  invalid: InvalidInput[],
): void {
  const { count, reason } = batch.rejected;
  if (count > 0)
    invalid.push({ file, line, reason: `${count} ${count === 1 ? "span" : "spans"} left out: ${reason}` });
}
