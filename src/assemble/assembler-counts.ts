import type { TraceEntry } from "./trace-entry.ts";

/** Reason why rows of a trace are left out. The counts use these names. */
export type LeftOut = "expired" | "finished" | "relinquished";

/**
 * Returns why rows of a trace are left out; undefined if they are accepted. `at` is the position of the trace
 * id in the batch's rows.
 */
export type WhyLeftOut = (rows: Int32Array, at: number) => LeftOut | undefined;

/**
 * Counts of spans or log records by outcome. Each row has exactly one outcome, at the latest after its trace
 * is closed.
 */
class OutcomeCounts {
  /** Rows that were emitted with the first version of their trace. */
  released = 0;
  duplicate = 0;
  /** Rows that arrived after their trace was closed. The trace was then evaluated again with these rows. */
  late = 0;
  /** Rows that arrived after their trace was forgotten. */
  expired = 0;
  /** Rows above the maximum size of their trace. */
  tooLarge = 0;
  /** Rows that were read again after a restart, although their trace was already finished. */
  finished = 0;
  /** Telemetry that Tracejury itself emitted, which Tracejury does not evaluate. */
  own = 0;
  /** Rows that were left to another process, which reads them again. */
  relinquished = 0;

  protected add(fresh: number, duplicates: number, isRevised: boolean): void {
    this.duplicate += duplicates;
    if (isRevised) this.late += fresh;
    else this.released += fresh;
  }
}

/** Outcomes of log records. */
export class LogCounts extends OutcomeCounts {
  /** Records without a trace id that do not belong to any received span. */
  uncorrelated = 0;

  /** Counts the records that were not counted when the trace was closed earlier. */
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
  /** Number of received log records without a trace id, of any outcome. */
  uncorrelatedLogs = 0;

  /** Counts the spans that were not counted when the trace was closed earlier. */
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
