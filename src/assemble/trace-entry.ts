import type { Batch } from "../otlp/rows/batch.ts";
import type { Identified } from "./ids/id-table.ts";
import type { UncorrelatedLog } from "./batches/row-ref.ts";
import type { Timed } from "./timeouts/timing-wheel.ts";

/**
 * The rows of a trace in one batch. `firstSpan` and `firstLog` are the rows that arrived last; -1 if there are none. The column `next` of a
 * row contains the trace's previous row.
 */
export interface BatchShare {
  readonly batch: Batch;
  firstSpan: number;
  firstLog: number;
  /** The trace's rows in the previous batch; undefined for the first batch. */
  readonly before: BatchShare | undefined;
}

/**
 * `open`: the trace waits for spans. `closed`: the trace was emitted, and its spans are retained for late spans. `forgotten`: the spans
 * were released, and only the trace id is remembered.
 */
export type EntryState = "open" | "closed" | "forgotten";

const nothing: readonly UncorrelatedLog[] = [];

/** The assembler's state of one trace. To save memory, the trace id is stored in four fields instead of an array. */
export class TraceEntry implements Timed, Identified {
  readonly #a: number;
  readonly #b: number;
  readonly #c: number;
  readonly #d: number;
  readonly firstSeenMs: number;
  wheelTick = -1;
  wheelPlace = 0;
  state: EntryState = "open";
  /** The trace's rows in the last batch that has any. */
  lastShare: BatchShare | undefined;
  /**
   * Log records without a trace id that were assigned to the trace's spans when the trace was last emitted. The batches of these records
   * stay in memory.
   */
  adopted = nothing;
  /** Service of the session whose records form the trace; undefined if the sender chose the trace id. */
  sessionService: string | undefined;
  spanCount = 0;
  logCount = 0;
  /** Memory of the trace in bytes: its share of request bodies and rows. */
  bytes = 0;
  lastSeenMs: number;
  /**
   * Arrival time of the first root span; after the trace was reopened, of the late span that reopened it; -1 if no root span has arrived.
   */
  rootSeenMs = -1;
  closedAtMs = 0;
  truncated = false;
  /** Whether a late span or log record reopened the trace after it was emitted. */
  revised = false;
  /** Numbers of rows that were counted at the last emission. The next emission counts only new rows. */
  countedSpans = 0;
  countedDuplicates = 0;
  countedLogs = 0;
  countedLogDuplicates = 0;
  /** Fingerprint of the trace at the last emission; undefined before the first. */
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

  /** Returns the trace's rows by batch, in order of arrival. */
  get shares(): readonly BatchShare[] {
    const shares: BatchShare[] = [];
    for (let share = this.lastShare; share !== undefined; share = share.before) shares.push(share);
    return shares.reverse();
  }

  /**
   * Returns the trace's rows in this batch; the first call for a batch creates the `BatchShare`. Batches are added one after another, so
   * only the last share can belong to this batch.
   */
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
