import type { Decision } from "../decisions.ts";

/**
 * State of a trace. `evaluated`: all runs of the trace are judged, and no further run can follow. `delivered`: all destinations have the
 * trace's verdicts. `finished`: nothing of the trace is retained. `relinquished`: another process reads the trace again. An open trace has
 * a state only if it came from Kafka, or if an earlier process has found runs in it.
 */
export type TraceStage = "open" | "closed" | "evaluated" | "delivered" | "finished" | "relinquished";

/**
 * Final decision about a trace: the first of `evaluated`, `ambiguous`, `sampled_out` and `unmatched` that is the decision about one of its
 * runs. `no_run`: the trace has no run. `pending`: not all runs are judged.
 */
export type TraceOutcome = Decision["decision"] | "no_run" | "pending";

/**
 * State of one trace, from its closing (or its first reading from Kafka) until nothing remains to do for it. Only `TraceLifecycle` and
 * `run-ids.ts` change the state.
 */
export class TraceState {
  readonly traceId: string;
  stage: TraceStage = "open";
  /** Fingerprint of the spans when the trace was last closed; `?` before the first closing. */
  fingerprint = "?";
  /** Number of runs that are being judged, without conversations. */
  judging = 0;
  /** Number of runs and conversations whose verdicts were not delivered yet. */
  undelivered = 0;
  /** Whether `TraceLifecycle.counts` includes the trace. */
  isCounted: boolean;
  /** Ids of the runs whose root, when first found, is a span of this trace, in order of discovery. */
  runIds: readonly string[] = [];
  /** Position of the trace among the traces that this process read from Kafka, from 1; 0 if the trace did not come from Kafka. */
  claim = 0;

  constructor(traceId: string, isCounted = false) {
    this.traceId = traceId;
    this.isCounted = isCounted;
  }
}
