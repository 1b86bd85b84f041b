import type { TraceEntry } from "./trace-entry.ts";

/** Reason why rows of a trace are ignored; also the name of the count. */
export type LeftOut = "expired" | "finished" | "relinquished";

/**
 * Returns why rows of a trace are ignored; undefined to accept them.
 * @param at index of the trace id in `rows`
 */
export type WhyLeftOut = (rows: Int32Array, at: number) => LeftOut | undefined;

/** Numbers of spans or log records by outcome. Each row gets exactly one outcome, at the latest when its trace is closed. */
class OutcomeCounts {
  /** Rows that were emitted when their trace was first closed. */
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
  /** Rows that Tracejury itself emitted. Tracejury's own rows are not evaluated. */
  own = 0;
  /** Rows that this process gave up, because another process reads them again. */
  relinquished = 0;

  protected add(fresh: number, duplicates: number, isRevised: boolean): void {
    this.duplicate += duplicates;
    if (isRevised) this.late += fresh;
    else this.released += fresh;
  }
}

export class LogCounts extends OutcomeCounts {
  /** Log records without a trace id that were forgotten before a span matched them. */
  uncorrelated = 0;

  /** Counts the log records of a closed trace that no earlier closing of this trace counted. */
  close(trace: TraceEntry, records: number): void {
    const duplicates = trace.logCount - records;
    this.add(records - trace.countedLogs, duplicates - trace.countedLogDuplicates, trace.revised);
    trace.countedLogs = records;
    trace.countedLogDuplicates = duplicates;
  }
}

export class AssemblerCounts extends OutcomeCounts {
  readonly logs = new LogCounts();
  /** Number of received log records without a trace id, with any outcome. */
  uncorrelatedLogs = 0;

  /** Counts the spans of a closed trace that no earlier closing of this trace counted. */
  close(trace: TraceEntry, spans: number, duplicates: number): void {
    this.add(spans - trace.countedSpans, duplicates - trace.countedDuplicates, trace.revised);
    trace.countedSpans = spans;
    trace.countedDuplicates = duplicates;
  }
}

/** Returns the number of an open trace's spans that are not counted yet. */
export function uncounted({ spanCount, countedSpans, countedDuplicates }: TraceEntry): number {
  return spanCount - countedSpans - countedDuplicates;
}

/** Returns the number of an open trace's log records that are not counted yet. */
export function uncountedLogs({ logCount, countedLogs, countedLogDuplicates }: TraceEntry): number {
  return logCount - countedLogs - countedLogDuplicates;
}
