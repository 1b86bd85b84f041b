import type { Batch } from "../../../otlp/rows/batch.ts";
import type { Outcome } from "../../../model/outcome.ts";
import type { Verdict } from "../../../model/verdict.ts";
import type { Encoding, Signal } from "../../../otlp/signal.ts";
import { append } from "../../../support/structures/group-by.ts";

/** A request of which parts wait. */
export interface HeldRequest {
  readonly batch: Batch;
  readonly signal: Signal;
  readonly encoding: Encoding;
  /** Sent on with its parts, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it came compressed, and is to go on so. */
  readonly isCompressed: boolean;
  /** Its number in the journal; 0 without one. */
  readonly number: number;
}

/** Held records and state of one trace. */
export class HeldTrace {
  readonly traceId: string;
  /** Arrival time of its first held record. */
  readonly sinceMs: number;
  /** Rows, by the request they came in. */
  readonly parts = new Map<HeldRequest, number[]>();
  /** Assembled, with nothing new since. */
  isClosed = false;
  /** The assembler has released it: what it takes in memory is only in our account. */
  isOnlyOurs = false;
  /** Its reserved memory. */
  pinned: readonly Batch[] = [];
  /** It has verdicts that are not known any more. */
  isUnsure = false;
  hasError = false;
  startMs = Infinity;
  endMs = -Infinity;
  /** Its runs: the newest verdicts of each, once it was judged. */
  readonly runs = new Map<string, { readonly traceId: string; readonly verdicts: readonly Verdict[] }>();

  constructor(traceId: string, sinceMs: number) {
    this.traceId = traceId;
    this.sinceMs = sinceMs;
  }

  add(request: HeldRequest, row: number): void {
    append(this.parts, request, row);
    this.isClosed = false;
  }

  /** The first trace of its runs, by which all traces of a run go the same way. */
  get shareId(): string {
    for (const { traceId } of this.runs.values()) return traceId;
    return this.traceId;
  }

  get outcomes(): readonly Outcome[] {
    return [...this.runs.values()].flatMap(({ verdicts }) => verdicts.map(({ outcome }) => outcome));
  }

  /** The number of the newest request that it has a part of. */
  get through(): number {
    let through = 0;
    for (const { number } of this.parts.keys()) through = Math.max(through, number);
    return through;
  }
}
