import type { Decision } from "../decisions.ts";

/**
 * Where a trace stands. `evaluated`: all its runs were judged and none is to come. `delivered`: all destinations have their verdicts.
 * `finished`: nothing of it is retained. `relinquished`: another process reads it again. An open trace is the assembler's, and has a state
 * here only if it came over Kafka.
 */
export type TraceStage = "open" | "closed" | "evaluated" | "delivered" | "finished" | "relinquished";

/** What a trace comes to: that of its runs that got furthest; `no_run` when there was no agent in it, `pending` until all is known. */
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
  /** In which order this process read it from Kafka for the first time; 0 when it did not. */
  claim = 0;

  constructor(traceId: string, isCounted = false) {
    this.traceId = traceId;
    this.isCounted = isCounted;
  }
}
