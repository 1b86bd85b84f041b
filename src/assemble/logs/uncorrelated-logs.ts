import { type Batch, logAt } from "../../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../../otlp/rows/columns.ts";
import type { LogCounts } from "../assembler-counts.ts";
import type { ReferenceCountedBatches } from "../batches/reference-counted-batches.ts";
import type { RowRef } from "../batches/row-ref.ts";
import type { BatchSources } from "./batch-sources.ts";
import { LogsByTime } from "./logs-by-time.ts";

const HELD = 10_000;
/** Sources that are distinguished; with more of them every record may join. */
const MOST_SOURCES = 1_000;

/** A held record. One that its session's trace holds as well is counted there. */
export interface HeldLog extends RowRef {
  readonly isCounted: boolean;
}

/**
 * Log records that name no trace, as some instrumentations write the messages of their model calls. One belongs to the span during which it was
 * written by the same instrumentation in the same service. A bounded number is held, the oldest forgotten first.
 */
export class UncorrelatedLogs {
  readonly #held = new LogsByTime<HeldLog>();
  readonly #pinned: ReferenceCountedBatches;
  readonly #counts: LogCounts;
  #size = 0;
  #uncounted = 0;
  /** Senders of spans since the first of these records arrived. */
  readonly #spanSources = new Set<string>();
  #hasAny = false;
  readonly #sources: BatchSources;

  constructor(pinned: ReferenceCountedBatches, sources: BatchSources, counts: LogCounts) {
    this.#pinned = pinned;
    this.#sources = sources;
    this.#counts = counts;
  }

  get size(): number {
    return this.#size;
  }

  /** Held records that are in no count yet. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** @param isCounted whether the record is counted here; one that its session's trace holds is counted there */
  add(batch: Batch, row: number, isCounted: boolean): void {
    const ref = { batch, row, at: logAt(batch, row), isCounted };
    this.#hasAny = true;
    this.#held.add(this.#source(ref, LogColumn.scope), ref);
    this.#size++;
    if (isCounted) this.#uncounted++;
    this.#pinned.pin(batch);
    if (this.#size > HELD) this.#forgetOldest();
  }

  /** Notes where the spans of a request come from. */
  sawSpans(batch: Batch): void {
    if (!this.#hasAny || this.#spanSources.size >= MOST_SOURCES) return;
    for (const scope of this.#sources.scopesOf(batch).keys())
      this.#spanSources.add(this.#sources.sourceOf(batch, scope));
  }

  /** Whether a sender of one of the request's records also sends spans. Otherwise the records belong to no span. */
  mayJoin(batch: Batch): boolean {
    if (this.#spanSources.size >= MOST_SOURCES) return true;
    return [...this.#sources.scopesOf(batch).keys()].some((scope) =>
      this.#spanSources.has(this.#sources.sourceOf(batch, scope)),
    );
  }

  /** Forgets the oldest as long as it has to. */
  shrink(must: () => boolean): void {
    while (this.#size > 0 && must()) this.#forgetOldest();
  }

  /** Records that a trace adopted when it was emitted before, to be given to its spans again. */
  adoptedBefore(records: readonly RowRef[]): LogsByTime {
    const before = new LogsByTime();
    for (const ref of records) before.add(this.#source(ref, LogColumn.scope), ref);
    return before;
  }

  /**
   * Takes out the records that were written during the span: those adopted before, then held ones, which are counted as released. Their
   * batches stay pinned until `release`. Null for none.
   */
  takeDuring(
    span: RowRef,
    before: LogsByTime,
  ): { readonly known: readonly RowRef[]; readonly fresh: readonly HeldLog[] } | null {
    const source = this.#source(span, SpanColumn.scope);
    if (!this.#held.holds(source) && !before.holds(source)) return null;
    const fresh = this.#held.takeDuring(source, span);
    for (const { isCounted } of fresh) this.#end(isCounted, "released");
    return { known: before.takeDuring(source, span), fresh };
  }

  /** Counts records as duplicates that were counted as released when they were taken. */
  countDuplicates(records: readonly HeldLog[]): void {
    const duplicates = records.filter(({ isCounted }) => isCounted).length;
    this.#counts.released -= duplicates;
    this.#counts.duplicate += duplicates;
  }

  /** A trace no longer holds records that it took. */
  release(records: readonly RowRef[]): void {
    for (const { batch } of records) this.#pinned.unpin(batch);
  }

  #source({ batch, at }: RowRef, column: number): string {
    return this.#sources.sourceOf(batch, batch.rows[at + column] ?? 0);
  }

  #forgetOldest(): void {
    const oldest = this.#held.takeOldest();
    if (oldest === undefined) return;
    this.#end(oldest.isCounted, "uncorrelated");
    this.#pinned.unpin(oldest.batch);
  }

  #end(isCounted: boolean, outcome: "released" | "uncorrelated"): void {
    this.#size--;
    if (!isCounted) return;
    this.#uncounted--;
    this.#counts[outcome]++;
  }
}
