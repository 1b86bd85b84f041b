import type { Batch } from "../../../otlp/rows/batch.ts";
import type { Outcome } from "../../../model/outcome.ts";
import type { Verdict } from "../../../model/verdict.ts";
import type { Encoding, Signal } from "../../../otlp/signal.ts";
import { append } from "../../../support/structures/group-by.ts";

/** A received request with records that are held until their trace is judged. */
export interface HeldRequest {
  readonly batch: Batch;
  readonly signal: Signal;
  readonly encoding: Encoding;
  /** Headers that are forwarded with the records, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the received request was compressed. A compressed request is also forwarded compressed. */
  readonly isCompressed: boolean;
  /** Number of the request in the journal; 0 if there is no journal. */
  readonly number: number;
}

export class HeldTrace {
  readonly traceId: string;
  /** Arrival time of the trace's first held record. */
  readonly sinceMs: number;
  /** Row numbers of the held records, by request. */
  readonly parts = new Map<HeldRequest, number[]>();
  /** Whether the assembler has closed the trace, and no record has arrived since. */
  isClosed = false;
  /** Whether the assembler no longer needs the trace. If true, only the tail buffer retains the trace's memory, and counts it. */
  isOnlyOurs = false;
  /** Batches that the tail buffer retains for this trace, after the assembler no longer needs the trace. */
  pinned: readonly Batch[] = [];
  /** Whether an earlier process judged a run of the trace, so that this process does not know the verdicts. */
  isUnsure = false;
  hasError = false;
  startMs = Infinity;
  endMs = -Infinity;
  /** Runs that the trace belongs to, with their newest verdicts. */
  readonly runs = new Map<string, { readonly traceId: string; readonly verdicts: readonly Verdict[] }>();

  constructor(traceId: string, sinceMs: number) {
    this.traceId = traceId;
    this.sinceMs = sinceMs;
  }

  add(request: HeldRequest, row: number): void {
    append(this.parts, request, row);
    this.isClosed = false;
  }

  /**
   * Trace id on which sampling depends. It is the id of the run's first trace, so that the decision is the same for all traces of a run.
   */
  get shareId(): string {
    for (const { traceId } of this.runs.values()) return traceId;
    return this.traceId;
  }

  get outcomes(): readonly Outcome[] {
    return [...this.runs.values()].flatMap(({ verdicts }) => verdicts.map(({ outcome }) => outcome));
  }

  /** Number of the newest request that contains records of the trace. */
  get through(): number {
    let through = 0;
    for (const { number } of this.parts.keys()) through = Math.max(through, number);
    return through;
  }
}
