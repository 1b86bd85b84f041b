import type { TraceEntry } from "../../assemble/trace-entry.ts";
import type { VerdictNote } from "../../journal/delivery-ledger.ts";
import type { Forwarded } from "../../journal/records/record-kinds.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import type { ReceivedRequest, Refusal } from "../../receive/ports.ts";
import type { Engine } from "../../replay/engine.ts";

/**
 * Retains accepted telemetry until its verdicts are delivered, and decides whether verdicts may be published.
 * The journal, Kafka and memory implement this interface; `AcceptLogs` combines them. `TraceLifecycle` holds
 * the states of traces.
 */
export interface AcceptLog {
  /**
   * Reasons why telemetry cannot be accepted, such as `journal: disk full`; empty while telemetry is
   * accepted.
   */
  readonly troubles: readonly string[];
  /** Whether another process can continue the unfinished traces of this process. */
  readonly isDurable: boolean;
  /** Restores the unfinished telemetry of an earlier process into the engine, and starts recording. */
  start(engine: Engine): Promise<void> | void;
  /** Whether this log holds the telemetry of the run. */
  owns(run: AgentRun): boolean;
  /**
   * Whether verdicts of the run may be published. The result is `never` if another process owns its traces
   * now. The result is `later` while the owner is not known; `again` is called when the owner is known.
   */
  mayPublish(run: AgentRun, again: () => void): "now" | "later" | "never";
  /**
   * Starts the evaluation of a run. Returns false if an earlier process has judged the same telemetry and
   * delivered the verdicts.
   */
  begin(run: AgentRun): boolean;
  /**
   * Records verdicts before they are sent. Returns null if another process owns the traces now.
   * @param ending aborted when unrecorded verdicts are left to the next process; the promise rejects when it
   * is aborted
   */
  noteVerdict(run: AgentRun, verdicts: readonly Verdict[], ending: AbortSignal): Promise<VerdictNote | null>;
  /** Records that traces were forwarded to a backend, or dropped. */
  noteForwarded(forwarded: Forwarded): Promise<void>;
  /**
   * Called when the assembler has released a trace. The records of the trace are retained until the trace is
   * finished.
   */
  released(trace: TraceEntry): void;
  /**
   * Called instead of `finish` for a released trace that an internal error stopped. Records the trace as
   * finished, and frees its records. Reports a failed write, and never rejects.
   */
  abandoned(trace: TraceEntry): Promise<void>;
  /** Whether this log holds records of the trace. */
  retains(traceId: string): boolean;
  /**
   * Records that traces are finished, and frees records that nothing needs any more. Returns false if
   * recording is not possible now.
   */
  finish(traceIds: readonly string[]): Promise<boolean>;
  /**
   * Stops accepting telemetry. Open traces are left to the next process, or closed if the log is not durable.
   */
  relinquish(): void;
  /** Closes the log. All outputs must be closed and finished traces recorded before this call. */
  stop(): Promise<void>;
}

/** Accept log of requests that are received over HTTP and gRPC. */
export interface RequestLog extends AcceptLog {
  /**
   * Records a request and passes it to the engine. Resolves to a refusal if the request cannot be recorded;
   * undefined if nothing has to be awaited.
   */
  append(batch: Batch, request: ReceivedRequest): Promise<Refusal | null> | undefined;
}
