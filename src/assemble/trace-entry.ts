import type { Batch } from "../otlp/rows/batch.ts";
import type { Identified } from "./ids/id-table.ts";
import type { RowRef } from "./batches/row-ref.ts";
import type { Timed } from "./timeouts/timing-wheel.ts";

/** First rows of the chains that a batch holds for one trace; -1 for none. The chain goes on through the rows' NEXT column. */
export interface BatchShare {
  readonly batch: Batch;
  firstSpan: number;
  firstLog: number;
  /** The part of the batch before. */
  readonly before: BatchShare | undefined;
}

/**
 * `open`: waited for. `closed`: emitted, its spans retained for late ones. `forgotten`: its spans released, only its id is remembered.
 */
export type EntryState = "open" | "closed" | "forgotten";

const nothing: readonly RowRef[] = [];

/** The assembler's state of one trace id. There are very many, so fields that few need are optional. */
export class TraceEntry implements Timed, Identified {
  readonly #a: number;
  readonly #b: number;
  readonly #c: number;
  readonly #d: number;
  readonly firstSeenMs: number;
  wheelTick = -1;
  wheelPlace = 0;
  state: EntryState = "open";
  /** Its part of the batch that came last. */
  lastShare: BatchShare | undefined;
  /** Log records without a trace id that were written during its spans, found when it was last emitted. Their batches are pinned. */
  adopted = nothing;
  /** The service of a session whose records make up the trace; undefined for a trace that a sender named. */
  sessionService: string | undefined;
  spanCount = 0;
  logCount = 0;
  /** Bytes held for this trace: its share of bodies and rows. */
  bytes = 0;
  lastSeenMs: number;
  /** When the first root arrived; -1 while there is none. */
  rootSeenMs = -1;
  closedAtMs = 0;
  truncated = false;
  /** Emitted before and opened again by a late span. */
  revised = false;
  /** Counts of the last emission, so that a later one counts only new records. */
  countedSpans = 0;
  countedDuplicates = 0;
  countedLogs = 0;
  countedLogDuplicates = 0;
  /** Content of the last emission. */
  emittedFingerprint: string | undefined;

  constructor([a, b, c, d]: readonly [number, number, number, number], nowMs: number) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
    this.firstSeenMs = nowMs;
    this.lastSeenMs = nowMs;
  }

  get id(): readonly [number, number, number, number] {
    return [this.#a, this.#b, this.#c, this.#d];
  }

  hasId(a: number, b: number, c: number, d: number): boolean {
    return this.#a === a && this.#b === b && this.#c === c && this.#d === d;
  }

  /** Its parts of all batches, in the order they came. */
  get shares(): readonly BatchShare[] {
    const shares: BatchShare[] = [];
    for (let share = this.lastShare; share !== undefined; share = share.before) shares.push(share);
    return shares.reverse();
  }

  /** The part of the trace that this batch holds, made on first use. A batch is added whole before the next, so only the last can be it. */
  shareOf(batch: Batch): BatchShare {
    const last = this.lastShare;
    if (last !== undefined && last.batch === batch) return last;
    return (this.lastShare = { batch, firstSpan: -1, firstLog: -1, before: last });
  }

  /** Releases the spans. */
  forget(): void {
    this.state = "forgotten";
    this.lastShare = undefined;
    this.adopted = nothing;
    this.bytes = 0;
    this.emittedFingerprint = undefined;
  }
}
