import type { TraceEntry } from "./trace-entry.ts";

/** Reason why rows of a trace are ignored; also the name of the count of such rows. */
export type LeftOut = "expired" | "finished" | "relinquished";

/**
 * Returns the reason why the rows of a trace are ignored; undefined if they are accepted.
 * @param at index of the trace id in `rows`
 */
export type WhyLeftOut = (rows: Int32Array, at: number) => LeftOut | undefined;

/** Numbers of spans or log records by outcome. Each row gets exactly one outcome, at the latest when its trace is closed. */
class OutcomeCounts {
  /** Rows that were emitted when their trace was closed for the first time. */
  released = 0;
  duplicate = 0;
  /** Rows that arrived after their trace was closed, and caused it to be evaluated again. */
  late = 0;
  /** Rows that arrived after their trace was forgotten. */
  expired = 0;
  /** Rows that arrived after their trace had exceeded its maximum size, and before the trace was closed. */
  tooLarge = 0;
  /** Rows that were read again after a restart, although work on their trace was finished. */
  finished = 0;
  /** Rows of telemetry that Tracejury itself emitted. Such rows are not evaluated. */
  own = 0;
  /** Rows that this process dropped, because another process reads them again. */
  relinquished = 0;

  protected add(fresh: number, duplicates: number, isRevised: boolean): void {
    this.duplicate += duplicates;
    if (isRevised) this.late += fresh;
    else this.released += fresh;
  }
}

export class LogCounts extends OutcomeCounts {
  /** Log records without a trace id that were forgotten, because no span matched them in time. */
  uncorrelated = 0;

  /** Counts the log records of a closed trace. Records that were counted when the trace was closed before are not counted again. */
  close(trace: TraceEntry, records: number): void {
    const duplicates = trace.logCount - records;
    this.add(records - trace.countedLogs, duplicates - trace.countedLogDuplicates, trace.revised);
    trace.countedLogs = records;
    trace.countedLogDuplicates = duplicates;
  }
}

export class AssemblerCounts extends OutcomeCounts {
  readonly logs = new LogCounts();
  /** Number of received log records without a trace id. All of them are counted, whatever their outcome is. */
  uncorrelatedLogs = 0;

  /** Counts the spans of a closed trace. Spans that were counted when the trace was closed before are not counted again. */
  close(trace: TraceEntry, spans: number, duplicates: number): void {
    this.add(spans - trace.countedSpans, duplicates - trace.countedDuplicates, trace.revised);
    trace.countedSpans = spans;
    trace.countedDuplicates = duplicates;
  }
}

/** Returns the number of an open trace's spans that have no outcome yet. */
export function uncounted({ spanCount, countedSpans, countedDuplicates }: TraceEntry): number {
  return spanCount - countedSpans - countedDuplicates;
}

/** Returns the number of an open trace's log records that have no outcome yet. */
export function uncountedLogs({ logCount, countedLogs, countedLogDuplicates }: TraceEntry): number {
  return logCount - countedLogs - countedLogDuplicates;
}
