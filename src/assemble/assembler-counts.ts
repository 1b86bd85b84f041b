import type { TraceEntry } from "./trace-entry.ts";

/** Reason why rows of a trace are left out, for counts. */
export type LeftOut = "expired" | "finished" | "relinquished";

/**
 * Returns why rows of a trace are left out, or undefined if they are accepted. `at` is the position of the
 * trace id in the batch's rows.
 */
export type WhyLeftOut = (rows: Int32Array, at: number) => LeftOut | undefined;

/** Outcomes of spans or log records. Each gets exactly one outcome after its trace is closed. */
class OutcomeCounts {
  /** Rows that were emitted in a trace for the first time. */
  released = 0;
  duplicate = 0;
  /** Rows that arrived after their trace was closed; the trace was evaluated again with them. */
  late = 0;
  /** Rows that arrived after their trace was forgotten. */
  expired = 0;
  /** Rows that exceeded the maximum size of their trace. */
  tooLarge = 0;
  /** Rows read again after a restart, of traces that were finished before. */
  finished = 0;
  /** Tracejury's own verdicts, received again; they are never evaluated. */
  own = 0;
  /** Rows relinquished to another process, which reads them again. */
  relinquished = 0;

  protected add(fresh: number, duplicates: number, isRevised: boolean): void {
    this.duplicate += duplicates;
    if (isRevised) this.late += fresh;
    else this.released += fresh;
  }
}

/** Outcomes of log records. */
export class LogCounts extends OutcomeCounts {
  /** Records without a trace id for which no enclosing span was received. */
  uncorrelated = 0;

  /** Counts the records that were not counted when the trace was closed before. */
  close(trace: TraceEntry, records: number): void {
    const duplicates = trace.logCount - records;
    this.add(records - trace.countedLogs, duplicates - trace.countedLogDuplicates, trace.revised);
    trace.countedLogs = records;
    trace.countedLogDuplicates = duplicates;
  }
}

/** Outcomes of spans and log records. */
export class AssemblerCounts extends OutcomeCounts {
  readonly logs = new LogCounts();
  /** Log records without a trace id, with any outcome. */
  uncorrelatedLogs = 0;

  /** Counts the spans that were not counted when the trace was closed before. */
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
