import type { Decision } from "../decisions.ts";

/**
 * State of a trace. `evaluated`: all runs of the trace are judged, and no further run can follow.
 * `delivered`: all destinations have the trace's verdicts. `finished`: no data is retained. `relinquished`:
 * another process reads the trace again. An open trace has a state only if the trace came from Kafka.
 */
export type TraceStage = "open" | "closed" | "evaluated" | "delivered" | "finished" | "relinquished";

/**
 * Final decision about a trace: the most advanced decision among its runs. The decision is `no_run` without
 * an agent, and `pending` until all runs are decided.
 */
export type TraceOutcome = Decision["decision"] | "no_run" | "pending";

/**
 * State of one trace, from its closing, or its first read from Kafka, until no work remains.
 * `TraceLifecycle` changes the state.
 */
export class TraceState {
  readonly traceId: string;
  stage: TraceStage = "open";
  /** Fingerprint of the spans at the last closing of the trace; `?` before the first closing. */
  fingerprint = "?";
  /** Number of runs being judged; conversations are not counted. */
  judging = 0;
  /** Number of runs and conversations with undelivered verdicts. */
  undelivered = 0;
  /** Whether the assembler has released the spans of the trace. */
  isReleased = false;
  /** Whether the trace is included in the counts of settled traces. */
  isCounted: boolean;
  /** Ids of runs whose first root is a span of this trace, in the order of discovery. */
  runIds: readonly string[] = [];
  /**
   * Sequence number of the trace's first read from Kafka by this process; 0 if the trace did not come from
   * Kafka.
   */
  claim = 0;

  constructor(traceId: string, isCounted = false) {
    this.traceId = traceId;
    this.isCounted = isCounted;
  }
}
