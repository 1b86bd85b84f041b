import type { Decision } from "../decisions.ts";

/**
 * State of a trace. `evaluated`: all runs of the trace are judged, and no further run can follow. `delivered`: all destinations have the
 * trace's verdicts. `finished`: nothing of the trace is retained. `relinquished`: another process reads the trace again. While a trace is
 * open, it has a state in two cases only: it came from Kafka, or an earlier process found runs in it.
 */
export type TraceStage = "open" | "closed" | "evaluated" | "delivered" | "finished" | "relinquished";

/**
 * Final outcome of a trace. If its runs have different decisions, the first of these counts: `evaluated`, `ambiguous`, `sampled_out`,
 * `unmatched`. `no_run`: the trace has no run. `pending`: not all runs are judged.
 */
export type TraceOutcome = Decision["decision"] | "no_run" | "pending";

/**
 * State of one trace, from its closing (if it comes from Kafka, from its first reading) until no work on it remains. Only `TraceLifecycle`
 * and `run-ids.ts` change the state.
 */
export class TraceState {
  readonly traceId: string;
  stage: TraceStage = "open";
  /** Fingerprint of the trace's spans at the last closing; `?` before the first closing. */
  fingerprint = "?";
  /** Number of runs of the trace that are being judged. Conversations are not counted. */
  judging = 0;
  /** Number of runs and conversations whose verdicts were not delivered yet. */
  undelivered = 0;
  /** Whether `TraceLifecycle.counts` includes the trace. */
  isCounted: boolean;
  /** Ids of the runs whose root, at the time when they were first found, is a span of this trace. In order of discovery. */
  runIds: readonly string[] = [];
  /** Position of the trace in the order in which this process claimed traces from Kafka, from 1; 0 if the trace did not come from Kafka. */
  claim = 0;

  constructor(traceId: string, isCounted = false) {
    this.traceId = traceId;
    this.isCounted = isCounted;
  }
}
