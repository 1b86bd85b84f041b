import type { Batch } from "../otlp/batch.ts";
import type { RowRef } from "./row-ref.ts";
import type { Timed } from "./timing-wheel.ts";

/** First rows of the chains that a batch holds for one trace; -1 for none. The chain goes on through the rows' NEXT column. */
export interface BatchShare {
  readonly batch: Batch;
  firstSpan: number;
  firstLog: number;
}

/**
 * `open`: waited for. `closed`: released, its spans kept for late ones. `gone`: released and forgotten but for its id.
 */
export type TraceState = "open" | "closed" | "gone";

/** What the assembler knows of one trace id. */
export class OpenTrace implements Timed {
  readonly id: readonly [number, number, number, number];
  readonly firstSeenMs: number;
  wheelTick = -1;
  state: TraceState = "open";
  shares: BatchShare[] = [];
  /** Log records without a trace id that were written during its spans, found at the last release. */
  adopted: readonly RowRef[] = [];
  spanCount = 0;
  logCount = 0;
  /** Bytes held for this trace: its share of bodies and rows. */
  bytes = 0;
  lastSeenMs: number;
  /** When the first root arrived; -1 while there is none. */
  rootSeenMs = -1;
  closedAtMs = 0;
  truncated = false;
  /** Released before and opened again by a late span. */
  revised = false;
  /** What the last release counted, so that a later one counts only what is new. */
  countedSpans = 0;
  countedDuplicates = 0;
  /** What was in it at the last release. */
  releasedPrint: string | undefined;

  constructor(id: readonly [number, number, number, number], nowMs: number) {
    this.id = id;
    this.firstSeenMs = nowMs;
    this.lastSeenMs = nowMs;
  }

  /** The part of the trace that this batch holds, made on first use. A batch is added whole before the next, so only the last can be it. */
  shareOf(batch: Batch): BatchShare {
    const last = this.shares[this.shares.length - 1];
    if (last !== undefined && last.batch === batch) return last;
    const share: BatchShare = { batch, firstSpan: -1, firstLog: -1 };
    this.shares.push(share);
    return share;
  }

  /** Lets go of the spans. */
  forget(): void {
    this.state = "gone";
    this.shares = [];
    this.adopted = [];
    this.bytes = 0;
  }
}
