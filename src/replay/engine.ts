import { adapters } from "../../adapters/index.ts";
import type { Adapter } from "../../adapters/adapter-type.ts";
import { adapterOf, type DialectTable } from "../runs/dialect-table.ts";
import { FragmentReader } from "../runs/fragment-reader.ts";
import { Assembler } from "../assemble/assembler.ts";
import type { TraceEntry } from "../assemble/trace-entry.ts";
import { defaultTraceTimeouts, type TraceTimeouts } from "../assemble/timeouts/trace-timeouts.ts";
import type { Trace } from "../assemble/trace.ts";
import { bytesOfSpan } from "../otlp/rows/span-view.ts";
import type { StitchOptions } from "../runs/waiting/stitch-options.ts";
import { RunStitcher } from "../runs/waiting/run-stitcher.ts";
import { ownScope } from "../model/telemetry/own-scope.ts";
import type { AgentRun, CloseReason } from "../model/run.ts";
import type { OnFault } from "../pipeline/faults/trace-fault.ts";
import { hexOf } from "../otlp/bytes/text.ts";
import { type ConversationRules, Conversations } from "../pipeline/conversation/conversations.ts";
import { Pipeline } from "../pipeline/pipeline.ts";
import { createPricer, type PriceOverrides } from "../model/price/price.ts";

export interface EngineOptions {
  readonly timeouts: TraceTimeouts;
  /** How long a piece of a run waits for the next one; Infinity: until the end. */
  readonly quietMs: number;
  /** After a longer pause a run does not go on; the default of `assemble.max_age` when absent. */
  readonly maxPauseMs?: number | undefined;
  /** Attributes of resource and root that runs keep, beyond the usual ones. */
  readonly attributes: readonly string[];
  readonly prices: PriceOverrides;
  /** Dialects of the configuration; they are believed before the adapters. */
  readonly dialects?: readonly DialectTable[] | undefined;
  /** Dialects to read; all that are built in when absent. */
  readonly adapters?: readonly Adapter[] | undefined;
  /** Anything unpredictable. */
  readonly seed: number;
  /** Settings for grouping conversations. Default: no conversations. */
  readonly conversations?: ConversationRules | undefined;
  /** Gives each run the id that it keeps over revisions; the id of its root when absent. */
  readonly identify?: ((run: AgentRun) => AgentRun) | undefined;
  /** Gets runs, and conversations as runs with `turns`. */
  readonly onRun: (run: AgentRun) => void;
  /** Called with an error that one trace caused; replay continues with the next. Absent: the error is thrown. */
  readonly onFault?: OnFault;
  readonly onClosedTrace?: (reason: CloseReason) => void;
  /** Sees each trace before it is read. */
  readonly onTrace?: ((trace: Trace) => void) | undefined;
  /** Where several threads read the same telemetry. */
  readonly joining?: Pick<StitchOptions, "setAside" | "elsewhere">;
  /** Sees each trace whose spans are about to be released. */
  readonly onForgottenTrace?: ((trace: TraceEntry) => void) | undefined;
}

export interface Engine {
  readonly pipeline: Pipeline;
  readonly assembler: Assembler;
  /** Dialects of the configuration by which traces are read now. */
  readonly dialects: readonly DialectTable[];
  /** Reads the traces that close from now on by these. */
  readBy(dialects: readonly DialectTable[]): void;
}

const throwOn: OnFault = ({ error }) => {
  throw error;
};

/** Everything that spans are read by, best first. */
export function adaptersWith(
  dialects: readonly DialectTable[] = [],
  builtIn: readonly Adapter[] = adapters,
): readonly Adapter[] {
  return dialects.length === 0 ? builtIn : [...dialects.map(adapterOf), ...builtIn];
}

/** Puts the stages from rows to runs together: the same for `serve` and for replay. */
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
      bytesOfSpan,
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
