import type { TraceEntry } from "../../assemble/trace-entry.ts";
import type { VerdictNote } from "../../journal/delivery-ledger.ts";
import type { Forwarded } from "../../journal/records/record-kinds.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import type { ReceivedRequest, Refusal } from "../../receive/ports.ts";
import type { Engine } from "../../replay/engine.ts";

/**
 * Retains accepted telemetry until its verdicts are delivered, and decides whether verdicts may be published. Implementations are the
 * journal, Kafka and memory; `AcceptLogs` combines them. `TraceLifecycle` has the states of traces.
 */
export interface AcceptLog {
  /** Why telemetry cannot be accepted, such as `journal: disk full`; empty while it can. */
  readonly troubles: readonly string[];
  /** Whether another process takes up what this one leaves unfinished. */
  readonly isDurable: boolean;
  /** Puts what an earlier process left unfinished into the engine, and begins to record. */
  start(engine: Engine): Promise<void> | void;
  /** Whether the run is made of telemetry of this log. */
  owns(run: AgentRun): boolean;
  /**
   * Whether verdicts about the run may be published: not (`never`) when another process has its traces by now. `later` while that is not
   * known; `again` is called when it is.
   */
  mayPublish(run: AgentRun, again: () => void): "now" | "later" | "never";
  /** Begins the evaluation of a run. Returns false when an earlier process has judged the same telemetry and delivered that. */
  begin(run: AgentRun): boolean;
  /**
   * Records verdicts, to be sent then; null when another process has their traces by now.
   * @param ending aborted when what cannot be recorded is to be left to the next process: rejects then
   */
  noteVerdict(run: AgentRun, verdicts: readonly Verdict[], ending: AbortSignal): Promise<VerdictNote | null>;
  /** Records that traces were forwarded to a backend, or left out. */
  noteForwarded(forwarded: Forwarded): Promise<void>;
  /** The assembler released a trace: its records are retained until it is finished. */
  released(trace: TraceEntry): void;
  /** Whether there are records of the trace here. */
  retains(traceId: string): boolean;
  /** Records that traces are finished, if any are, and frees what nothing needs any more. Returns false when that cannot be done now. */
  finish(traceIds: readonly string[]): Promise<boolean>;
  /** Accepts nothing more. Open traces are left to the next process, or closed where there is none. */
  relinquish(): void;
  /** Closes the log. Close all outputs and record finished traces before. */
  stop(): Promise<void>;
}

/** The log of requests that are received over HTTP and gRPC. */
export interface RequestLog extends AcceptLog {
  /** Records a request and puts it into the engine; a refusal when it cannot be recorded, undefined where nothing has to be awaited. */
  append(batch: Batch, request: ReceivedRequest): Promise<Refusal | null> | undefined;
}
