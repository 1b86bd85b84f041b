import type { TraceEntry } from "../../assemble/trace-entry.ts";
import type { VerdictNote } from "../../journal/delivery-ledger.ts";
import type { Forwarded } from "../../journal/records/record-kinds.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import type { ReceivedRequest, Refusal } from "../../receive/ports.ts";
import type { Engine } from "../../replay/engine.ts";

/**
 * Stores accepted telemetry until its verdicts are delivered, and decides whether this process may publish a run's verdicts. With Kafka,
 * another process can own the run's traces. There are implementations with the journal, with Kafka, and in memory. `AcceptLogs` combines
 * the accept logs of one process.
 */
export interface AcceptLog {
  /** Reasons why telemetry cannot be accepted now, such as `journal: disk full`; empty if telemetry can be accepted. */
  readonly troubles: readonly string[];
  /** Whether the next process can continue the unfinished traces of this process. */
  readonly isDurable: boolean;
  /** Passes unfinished telemetry of an earlier process to the engine, and starts recording. */
  start(engine: Engine): Promise<void> | void;
  /** Whether this log stores the telemetry of the run. */
  owns(run: AgentRun): boolean;
  /**
   * Whether verdicts of the run may be published. `never`: another process owns the traces now. `later`: the owner is not known yet; the
   * log calls `again` when the owner is known.
   */
  mayPublish(run: AgentRun, again: () => void): "now" | "later" | "never";
  /** Returns false if an earlier process judged the same telemetry and delivered the verdicts. */
  begin(run: AgentRun): boolean;
  /**
   * Records verdicts before they are sent. Resolves to null if another process owns the traces now.
   * @param ending when aborted, a failed write rejects instead of being retried, and the next process judges the run again
   */
  noteVerdict(run: AgentRun, verdicts: readonly Verdict[], ending: AbortSignal): Promise<VerdictNote | null>;
  /** Records in this accept log which traces tail-based forwarding sent to a backend, and which it dropped. */
  noteForwarded(forwarded: Forwarded): Promise<void>;
  /** Records that the assembler no longer needs a trace. Does not release the trace's records in the log; `finish` releases them. */
  released(trace: TraceEntry): void;
  /**
   * Releases the records of a trace whose processing failed with an internal error. For such a trace, call `abandoned` instead of `finish`.
   * A failed write is reported; the promise never rejects.
   */
  abandoned(trace: TraceEntry): Promise<void>;
  /** Whether this log stores records of the trace. */
  retains(traceId: string): boolean;
  /** Marks traces as finished, and releases the log's records that no unfinished trace needs. Resolves to false if the write fails. */
  finish(traceIds: readonly string[]): Promise<boolean>;
  /**
   * Stops accepting telemetry. If the log is durable, the next process continues the open traces; otherwise the open traces are closed and
   * judged now.
   */
  relinquish(): void;
  /** Closes the log. The caller must first close all outputs and call `finish` for the finished traces. */
  stop(): Promise<void>;
}

/** Accept log for requests over HTTP and gRPC. */
export interface RequestLog extends AcceptLog {
  /**
   * Records a request and passes it to the engine. Resolves to null if the request was accepted, or to a refusal if it cannot be recorded.
   * Returns undefined if the request was accepted at once.
   */
  append(batch: Batch, request: ReceivedRequest): Promise<Refusal | null> | undefined;
}
