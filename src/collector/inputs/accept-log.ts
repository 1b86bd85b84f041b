import type { OpenTrace } from "../../assemble/open-trace.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { Sending } from "../../journal/delivery-ledger.ts";
import type { Forwarded } from "../../journal/records/record-kinds.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import type { ReceivedRequest, Refusal } from "../../receive/ports.ts";
import type { Engine } from "../../replay/engine.ts";

/**
 * What remembers accepted telemetry until its verdicts are delivered, and decides whether verdicts may be published. The journal, Kafka and
 * memory alone are three implementations; `AcceptLogs` joins those of one process.
 */
export interface AcceptLog {
  /** Why telemetry cannot be accepted, such as `journal: disk full`; empty while it can. */
  readonly troubles: readonly string[];
  /** Whether another process takes up what this one leaves unfinished. */
  readonly isDurable: boolean;
  /** Verdict records that wait to be written. Each retains its run. */
  readonly unwritten: number;
  /** Puts what an earlier process left unfinished into the engine, and begins to record. */
  start(engine: Engine): Promise<void> | void;
  /** Whether the run is made of telemetry of this log. */
  owns(run: AgentRun): boolean;
  /** Records that the assembler released a trace. Returns whether all of the trace is from this log. */
  closed(trace: Trace): boolean;
  /** Records that the assembler dropped a trace. Returns whether all of the trace is from this log. */
  forgotten(trace: OpenTrace): boolean;
  /**
   * Whether verdicts about the run may be published: not (`never`) when another process has its traces by now. `later` while that is not
   * known; `again` is called when it is.
   */
  mayPublish(run: AgentRun, again: () => void): "now" | "later" | "never";
  /** Begins the evaluation of a run. Returns false when an earlier process has judged the same telemetry and delivered that. */
  begin(run: AgentRun): boolean;
  /** Records verdicts, then calls `send` with each of them. */
  publish(
    run: AgentRun,
    verdicts: readonly Verdict[],
    send: (verdict: Verdict, sending: Sending) => void,
  ): void;
  /** Ends the evaluation of a run that gives no verdict. */
  end(run: AgentRun): void;
  /** Records that traces were forwarded to a backend, or left out. */
  recordForwarded(forwarded: Forwarded): Promise<void>;
  /** Accepts nothing more. Open traces are left to the next process, or closed where there is none. */
  relinquish(): void;
  /** Resolves when everything published so far is recorded. */
  settled(): Promise<void>;
  /** Records what is finished and closes. Whatever sends verdicts has to be closed before. */
  stop(): Promise<void>;
}

/** The log of requests that are received over HTTP and gRPC. */
export interface RequestLog extends AcceptLog {
  /** Records a request and puts it into the engine; a refusal when it cannot be recorded, undefined where nothing has to be awaited. */
  append(batch: Batch, request: ReceivedRequest): Promise<Refusal | null> | undefined;
}
