import type { Decision } from "../decisions.ts";

/**
 * State of a trace. `evaluated`: all its runs are judged and no more can follow. `delivered`: all destinations have their verdicts.
 * `finished`: nothing is retained. `relinquished`: another process reads it again. Open traces belong to the assembler and have a state
 * here only if they came from Kafka.
 */
export type TraceStage = "open" | "closed" | "evaluated" | "delivered" | "finished" | "relinquished";

/** Final decision of a trace: the most advanced one of its runs; `no_run` without an agent, `pending` until all are known. */
export type TraceOutcome = Decision["decision"] | "no_run" | "pending";

/** The state of one trace, from when it is closed until nothing more is to be done about it. Only `TraceLifecycle` changes it. */
export class TraceState {
  readonly traceId: string;
  stage: TraceStage = "open";
  /** Fingerprint of the spans that it was closed with last; `?` before. */
  fingerprint = "?";
  /** Runs that are being judged; conversations are not counted. */
  judging = 0;
  /** Runs and conversations whose verdicts are not delivered. */
  undelivered = 0;
  /** The assembler has released its spans. */
  isReleased = false;
  /** It is in the counts of settled traces. */
  isCounted: boolean;
  /** Ids of runs that were found, whose first root is a span of this trace. */
  runIds: readonly string[] = [];
  /** In which order this process read it from Kafka for the first time; 0 when it did not. */
  claim = 0;

  constructor(traceId: string, isCounted = false) {
    this.traceId = traceId;
    this.isCounted = isCounted;
  }
}
