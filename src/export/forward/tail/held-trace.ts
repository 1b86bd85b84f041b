import type { Batch } from "../../../otlp/rows/batch.ts";
import type { Outcome } from "../../../model/outcome.ts";
import type { Verdict } from "../../../model/verdict.ts";
import type { Encoding, Signal } from "../../../otlp/signal.ts";
import { append } from "../../../support/structures/group-by.ts";

/** A received request of which some records are held. */
export interface HeldRequest {
  readonly batch: Batch;
  readonly signal: Signal;
  readonly encoding: Encoding;
  /** Headers that are forwarded with the records, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the received request was compressed; the forwarded request is compressed accordingly. */
  readonly isCompressed: boolean;
  /** Number of the request in the journal; 0 if there is no journal. */
  readonly number: number;
}

/** Held records and state of one trace. */
export class HeldTrace {
  readonly traceId: string;
  /** Arrival time of the first held record. */
  readonly sinceMs: number;
  /** Row numbers of the held records, by request. */
  readonly parts = new Map<HeldRequest, number[]>();
  /** Whether the trace was assembled, and no further record has arrived since then. */
  isClosed = false;
  /**
   * Whether the assembler has released the trace. Only the tail buffer then counts the memory of the trace.
   */
  isOnlyOurs = false;
  /** Batches that stay in memory because of this trace. */
  pinned: readonly Batch[] = [];
  /** Whether an earlier process judged a run of the trace, with verdicts that this process does not know. */
  isUnsure = false;
  hasError = false;
  startMs = Infinity;
  endMs = -Infinity;
  /** The trace's runs, with their newest verdicts after evaluation. */
  readonly runs = new Map<string, { readonly traceId: string; readonly verdicts: readonly Verdict[] }>();

  constructor(traceId: string, sinceMs: number) {
    this.traceId = traceId;
    this.sinceMs = sinceMs;
  }

  add(request: HeldRequest, row: number): void {
    append(this.parts, request, row);
    this.isClosed = false;
  }

  /** Id of the first trace of the trace's run. All traces of one run thus get the same decision. */
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
