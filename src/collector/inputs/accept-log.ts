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
 * another process can own the run's traces. Implemented with the journal, with Kafka, and in memory; `AcceptLogs` combines them.
 */
export interface AcceptLog {
  /** Reasons why telemetry cannot be accepted now, such as `journal: disk full`; empty if it can. */
  readonly troubles: readonly string[];
  /** Whether the next process can continue the unfinished traces of this process. */
  readonly isDurable: boolean;
  /** Passes unfinished telemetry of an earlier process to the engine, and starts recording. */
  start(engine: Engine): Promise<void> | void;
  /** Whether this log stores the telemetry of the run. */
  owns(run: AgentRun): boolean;
  /**
   * Whether verdicts of the run may be published. `never`: another process owns the traces now. `later`: the owner is not known yet; the
   * log calls `again` when it is.
   */
  mayPublish(run: AgentRun, again: () => void): "now" | "later" | "never";
  /** Returns false if an earlier process judged the same telemetry and delivered the verdicts. */
  begin(run: AgentRun): boolean;
  /**
   * Records verdicts before they are sent. Resolves to null if another process owns the traces now.
   * @param ending when aborted, a failed write rejects, and unrecorded verdicts are left to the next process
   */
  noteVerdict(run: AgentRun, verdicts: readonly Verdict[], ending: AbortSignal): Promise<VerdictNote | null>;
  /** Records in this accept log which traces tail-based forwarding sent to a backend, and which it dropped. */
  noteForwarded(forwarded: Forwarded): Promise<void>;
  /** Records that the assembler no longer needs a trace. Does not release the trace's records; `finish` does. */
  released(trace: TraceEntry): void;
  /**
   * Finishes a trace after an internal error: the records of the trace are released. Call `abandoned` instead of `finish`. Reports a failed
   * write, and never rejects.
   */
  abandoned(trace: TraceEntry): Promise<void>;
  /** Whether this log stores records of the trace. */
  retains(traceId: string): boolean;
  /** Marks traces as finished, and releases the log's records that no unfinished trace needs. Returns false if the write fails. */
  finish(traceIds: readonly string[]): Promise<boolean>;
  /**
   * Stops accepting telemetry. If the log is durable, the next process continues the open traces; otherwise the open traces are closed now.
   */
  relinquish(): void;
  /** Closes the log. Before calling `stop`, close all outputs and record finished traces. */
  stop(): Promise<void>;
}

/** Accept log for requests over HTTP and gRPC. */
export interface RequestLog extends AcceptLog {
  /**
   * Records a request and passes it to the engine. Resolves to null, or to a refusal if the request cannot be recorded. Returns undefined
   * if the request was accepted without waiting.
   */
  append(batch: Batch, request: ReceivedRequest): Promise<Refusal | null> | undefined;
}
