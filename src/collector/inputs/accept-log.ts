import type { TraceEntry } from "../../assemble/trace-entry.ts";
import type { VerdictNote } from "../../journal/delivery-ledger.ts";
import type { Forwarded } from "../../journal/records/record-kinds.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import type { ReceivedRequest, Refusal } from "../../receive/ports.ts";
import type { Engine } from "../../replay/engine.ts";

/**
 * Stores accepted telemetry until its verdicts are delivered, and decides whether verdicts may be published.
 * There are accept logs in the journal, in Kafka and in memory; `AcceptLogs` combines these accept logs.
 * `TraceLifecycle` holds the states of traces.
 */
export interface AcceptLog {
  /**
   * Reasons why telemetry cannot be accepted, such as `journal: disk full`; empty if telemetry is accepted.
   */
  readonly troubles: readonly string[];
  /** Whether another process can continue the unfinished traces after this process has ended. */
  readonly isDurable: boolean;
  /** Restores the unfinished telemetry of an earlier process into the engine, and starts recording. */
  start(engine: Engine): Promise<void> | void;
  /** Whether this log stores the telemetry of the run. */
  owns(run: AgentRun): boolean;
  /**
   * Whether verdicts of the run may be published. `never` means that another process owns the traces now.
   * `later` means that the owner is not yet known; `again` is called when the owner is known.
   */
  mayPublish(run: AgentRun, again: () => void): "now" | "later" | "never";
  /**
   * Starts the evaluation of a run. Returns false if an earlier process judged the same telemetry and
   * delivered the verdicts.
   */
  begin(run: AgentRun): boolean;
  /**
   * Records verdicts before they are sent. Returns null if another process owns the traces now.
   * @param ending when aborted, the promise rejects, and unrecorded verdicts are left to the next process
   */
  noteVerdict(run: AgentRun, verdicts: readonly Verdict[], ending: AbortSignal): Promise<VerdictNote | null>;
  /** Records that traces were forwarded to a backend, or dropped. */
  noteForwarded(forwarded: Forwarded): Promise<void>;
  /**
   * Called when the assembler has released a trace. Records of the trace stay until the trace is finished.
   */
  released(trace: TraceEntry): void;
  /**
   * Records a released trace as finished after an internal error, and frees its records. Replaces `finish`
   * for this trace. Reports a failed write, and never rejects.
   */
  abandoned(trace: TraceEntry): Promise<void>;
  /** Whether this log stores records of the trace. */
  retains(traceId: string): boolean;
  /**
   * Records that traces are finished, and frees records that are no longer needed. Returns false if recording
   * is not possible now.
   */
  finish(traceIds: readonly string[]): Promise<boolean>;
  /**
   * Stops accepting telemetry. A durable log leaves open traces to the next process. Other logs close open
   * traces.
   */
  relinquish(): void;
  /** Closes the log. Before this call, all outputs must be closed, and finished traces must be recorded. */
  stop(): Promise<void>;
}

/** Accept log of requests that are received over HTTP and gRPC. */
export interface RequestLog extends AcceptLog {
  /**
   * Records a request and passes it to the engine. Resolves to a refusal if the request cannot be recorded.
   * Undefined if the request was accepted without waiting.
   */
  append(batch: Batch, request: ReceivedRequest): Promise<Refusal | null> | undefined;
}
