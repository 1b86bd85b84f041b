import type { TraceEntry } from "./trace-entry.ts";

/** Why rows of a trace are left out, as they are counted. */
export type LeftOut = "expired" | "finished" | "relinquished";

/** Returns why rows of a trace are left out, or undefined if they are kept. `at` is the position of the trace id in the batch's rows. */
export type WhyLeftOut = (rows: Int32Array, at: number) => LeftOut | undefined;

/** Outcomes of spans or log records. Each gets exactly one after its trace is closed. */
class OutcomeCounts {
  /** In an emitted trace for the first time. */
  released = 0;
  duplicate = 0;
  /** Arrived after their trace was closed and were evaluated with it again. */
  late = 0;
  /** Arrived so late that their trace was forgotten. */
  expired = 0;
  /** Arrived when their trace held as much as a trace may hold. */
  tooLarge = 0;
  /** Read again after a restart, of traces that were finished before. */
  finished = 0;
  /** Tracejury's own verdicts, received again: never evaluated. */
  own = 0;
  /** Relinquished to another process, which reads them again. */
  relinquished = 0;

  protected add(fresh: number, duplicates: number, isRevised: boolean): void {
    this.duplicate += duplicates;
    if (isRevised) this.late += fresh;
    else this.released += fresh;
  }
}

/** Outcomes of log records. */
export class LogCounts extends OutcomeCounts {
  /** Named no trace, and no span came during which they were written. */
  uncorrelated = 0;

  /** Counts what was not counted when the trace was closed before. */
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
  /** Log records without a trace id, whatever became of them. */
  uncorrelatedLogs = 0;

  /** Counts what was not counted when the trace was closed before. */
  close(trace: TraceEntry, spans: number, duplicates: number): void {
    this.add(spans - trace.countedSpans, duplicates - trace.countedDuplicates, trace.revised);
    trace.countedSpans = spans;
    trace.countedDuplicates = duplicates;
  }
}

/** The spans of an open trace that are in none of the counts yet. */
export function uncounted({ spanCount, countedSpans, countedDuplicates }: TraceEntry): number {
  return spanCount - countedSpans - countedDuplicates;
}

/** The log records of an open trace that are in none of the counts yet. */
export function uncountedLogs({ logCount, countedLogs, countedLogDuplicates }: TraceEntry): number {
  return logCount - countedLogs - countedLogDuplicates;
}
