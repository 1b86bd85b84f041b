import { adapters } from "../../adapters/index.ts";
import type { Adapter } from "../../adapters/adapter-type.ts";
import { adapterOf, type DialectTable } from "../runs/facts/dialect-table.ts";
import { FragmentReader } from "../runs/fragment-reader.ts";
import { Assembler } from "../assemble/assembler.ts";
import type { TraceEntry } from "../assemble/trace-entry.ts";
import { defaultTraceTimeouts, type TraceTimeouts } from "../assemble/timeouts/trace-timeouts.ts";
import type { Trace } from "../assemble/trace.ts";
import { memoryOfSpan } from "../otlp/rows/span-view.ts";
import type { StitchOptions } from "../runs/waiting/stitch-options.ts";
import { RunStitcher } from "../runs/waiting/run-stitcher.ts";
import { ownScope } from "../model/telemetry/own-scope.ts";
import type { AgentRun, CloseReason } from "../model/run.ts";
import type { OnFault } from "../pipeline/faults/faulty-run.ts";
import { hexOf } from "../otlp/bytes/text.ts";
import { type ConversationRules, Conversations } from "../pipeline/conversation/conversations.ts";
import { Pipeline } from "../pipeline/pipeline.ts";
import { createPricer, type PriceOverrides } from "../model/price/price.ts";

export interface EngineOptions {
  readonly timeouts: TraceTimeouts;
  /** Milliseconds to wait for a run's next trace; Infinity to wait for the end of the telemetry. */
  readonly quietMs: number;
  /** Maximum pause within a run in milliseconds. Default: the default of `assemble.max_age`. */
  readonly maxPauseMs?: number | undefined;
  /** Names of further attributes, of resource and root span, that are copied into runs. */
  readonly attributes: readonly string[];
  readonly prices: PriceOverrides;
  /** Dialects of the configuration, which take precedence over the built-in adapters. */
  readonly dialects?: readonly DialectTable[] | undefined;
  /** Built-in adapters to use. Default: all. */
  readonly adapters?: readonly Adapter[] | undefined;
  /** Random seed for hash tables, so that senders cannot construct collisions. */
  readonly seed: number;
  /** How runs are grouped into conversations. If absent, runs are not grouped. */
  readonly conversations?: ConversationRules | undefined;
  /** Returns the run with an id that is the same in all revisions. If absent, the run's id is derived from its root span. */
  readonly identify?: ((run: AgentRun) => AgentRun) | undefined;
  /** Receives each run, and each conversation as a run with `turns`. */
  readonly onRun: (run: AgentRun) => void;
  /** Reports an exception that a trace caused; other traces are still processed. If absent, the exception is thrown. */
  readonly onFault?: OnFault;
  readonly onClosedTrace?: (reason: CloseReason) => void;
  /** Receives each trace before it is read. */
  readonly onTrace?: ((trace: Trace) => void) | undefined;
  /** Options for the case that several threads read the same telemetry. */
  readonly joining?: Pick<StitchOptions, "setAside" | "elsewhere">;
  /** Called before the spans of a trace are released, to finish all work that needs the spans. */
  readonly onForgottenTrace?: ((trace: TraceEntry) => void) | undefined;
}

export interface Engine {
  readonly pipeline: Pipeline;
  readonly assembler: Assembler;
  /** Current dialects of the configuration. */
  readonly dialects: readonly DialectTable[];
  /** Replaces the dialects of the configuration, for traces that close after this call. */
  readBy(dialects: readonly DialectTable[]): void;
}

const throwOn: OnFault = ({ error }) => {
  throw error;
};

/** Returns all adapters and dialects in order of precedence. */
export function adaptersWith(
  dialects: readonly DialectTable[] = [],
  builtIn: readonly Adapter[] = adapters,
): readonly Adapter[] {
  return dialects.length === 0 ? builtIn : [...dialects.map(adapterOf), ...builtIn];
}

/** Connects the stages that turn rows into runs. The collector and replays use the same engine. */
export function createEngine(options: EngineOptions): Engine {
  const { timeouts, onClosedTrace, onTrace, maxPauseMs = defaultTraceTimeouts.maxAgeMs } = options;
  const assembler = new Assembler(
    timeouts,
    options.seed,
    (scope) => scope === ownScope,
    options.onForgottenTrace,
    ({ id }, closeReason, error) =>
      pipeline.fail({ traceId: hexOf(id), closeReason, spans: [] }, "assemble", error),
  );
  const readerOf = (tables: readonly DialectTable[]) =>
    new FragmentReader(adaptersWith(tables, options.adapters), maxPauseMs);
  let { dialects = [] } = options;
  let fragments = readerOf(dialects);
  const price = createPricer(options.prices);
  const makeStitcher = (): RunStitcher =>
    new RunStitcher({
      attributes: options.attributes,
      price,
      quietMs: options.quietMs,
      maxPauseMs,
      lateMs: timeouts.lateWindowMs,
      memoryOfSpan,
      isSessionOpen: (service, session) => assembler.isSessionOpen(service ?? "", session),
      ...options.joining,
    });
  const { onFault = throwOn, conversations } = options;
  const pipeline = new Pipeline({
    assembler,
    beginTrace: (trace) => {
      onClosedTrace?.(trace.closeReason);
      onTrace?.(trace);
      return fragments.begin(trace);
    },
    makeStitcher,
    conversations: conversations && new Conversations(conversations, onFault),
    identify: options.identify,
    onRun: options.onRun,
    onFault,
  });
  return {
    pipeline,
    assembler,
    get dialects() {
      return dialects;
    },
    readBy(others) {
      dialects = others;
      fragments = readerOf(others);
    },
  };
}
