import type { Batch } from "../../../otlp/rows/batch.ts";
import type { Outcome } from "../../../model/outcome.ts";
import type { Verdict } from "../../../model/verdict.ts";
import type { Encoding, Signal } from "../../../otlp/signal.ts";
import { append } from "../../../support/structures/group-by.ts";

/** A request with some records that are held back. */
export interface HeldRequest {
  readonly batch: Batch;
  readonly signal: Signal;
  readonly encoding: Encoding;
  /** Headers that are forwarded with the records, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the request was compressed; if so, the forwarded request is compressed too. */
  readonly isCompressed: boolean;
  /** Number of the request in the journal; 0 without a journal. */
  readonly number: number;
}

/** Held records and state of one trace. */
export class HeldTrace {
  readonly traceId: string;
  /** Arrival time of the first held record. */
  readonly sinceMs: number;
  /** Held rows by their request. */
  readonly parts = new Map<HeldRequest, number[]>();
  /** Whether the trace is assembled and no record has arrived since. */
  isClosed = false;
  /**
   * Whether the assembler has released the trace. The memory of a released trace is only in this buffer's
   * account.
   */
  isOnlyOurs = false;
  /** Batches whose memory the trace retains. */
  pinned: readonly Batch[] = [];
  /** Whether the trace has verdicts of an earlier process whose content is unknown. */
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

  /** Id of the first trace of its runs. This id makes all traces of a run get the same decision. */
  get shareId(): string {
    for (const { traceId } of this.runs.values()) return traceId;
    return this.traceId;
  }

  get outcomes(): readonly Outcome[] {
    return [...this.runs.values()].flatMap(({ verdicts }) => verdicts.map(({ outcome }) => outcome));
  }

  /** Number of the newest request with records of the trace. */
  get through(): number {
    let through = 0;
    for (const { number } of this.parts.keys()) through = Math.max(through, number);
    return through;
  }
}
