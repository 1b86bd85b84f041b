import { type Batch, logAt } from "../../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../../otlp/rows/columns.ts";
import type { LogCounts } from "../assembler-counts.ts";
import type { ReferenceCountedBatches } from "../batches/reference-counted-batches.ts";
import type { RowRef } from "../batches/row-ref.ts";
import type { BatchSources } from "./batch-sources.ts";
import { compareColumns, compareTimes } from "../batches/rows.ts";

/** Log records by source (service and scope). The first search sorts the records of a source by time; each search is binary. */
export class LogsByTime<Ref extends RowRef = RowRef> {
  readonly #bySource = new Map<string, SourceRecords<Ref>>();

  add(source: string, ref: Ref): void {
    const known = this.#bySource.get(source);
    if (known === undefined) {
      this.#bySource.set(source, { refs: [ref], isSorted: true });
      return;
    }
    const last = known.refs.at(-1);
    if (last !== undefined && compareTimes(last, ref, LogColumn.time) > 0) known.isSorted = false;
    known.refs.push(ref);
  }

  holds(source: string): boolean {
    return this.#bySource.has(source);
  }

  /** Removes and returns the records that the source wrote during the span, in time order. */
  takeDuring(source: string, span: RowRef): Ref[] {
    const known = this.#bySource.get(source);
    if (known === undefined) return [];
    const { refs } = known;
    if (!known.isSorted) {
      refs.sort((a, b) => compareTimes(a, b, LogColumn.time));
      known.isSorted = true;
    }
    const from = firstIndex(refs, (ref) => compareColumns(ref, LogColumn.time, span, SpanColumn.start) >= 0);
    const to = firstIndex(refs, (ref) => compareColumns(ref, LogColumn.time, span, SpanColumn.end) > 0);
    if (to <= from) return [];
    const taken = refs.splice(from, to - from);
    if (refs.length === 0) this.#bySource.delete(source);
    return taken;
  }

  /** Removes and returns the record of the source that was added first. */
  takeOldest(): Ref | undefined {
    for (const [source, { refs }] of this.#bySource) {
      const oldest = refs.shift();
      if (refs.length === 0) this.#bySource.delete(source);
      return oldest;
    }
    return undefined;
  }

  rest(): Ref[] {
    return [...this.#bySource.values()].flatMap(({ refs }) => refs);
  }
}

const HELD = 10_000;
/** Maximum number of remembered sources of spans. Above this number, each record is treated as if it may belong to a span. */
const MOST_SOURCES = 1_000;

/** A retained log record. `isCounted` is false if the trace of the record's session already counts the record. */
export interface HeldLog extends RowRef {
  readonly isCounted: boolean;
}

/**
 * Log records without a trace id. Some instrumentations write the messages of model calls in log records without a trace id. A record
 * belongs to the span during which the same instrumentation of the same service wrote it. The number of retained records is limited; the
 * oldest are forgotten.
 */
export class UncorrelatedLogs {
  readonly #held = new LogsByTime<HeldLog>();
  readonly #pinned: ReferenceCountedBatches;
  readonly #counts: LogCounts;
  #size = 0;
  #uncounted = 0;
  /** Sources (service and scope) of spans that arrived after the first record without a trace id. */
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

  /** Number of retained records that are not counted yet. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** @param isCounted whether this class counts the record; false if the trace of the record's session counts it */
  add(batch: Batch, row: number, isCounted: boolean): void {
    const ref = { batch, row, at: logAt(batch, row), isCounted };
    this.#hasAny = true;
    this.#held.add(this.#source(ref, LogColumn.scope), ref);
    this.#size++;
    if (isCounted) this.#uncounted++;
    this.#pinned.pin(batch);
    if (this.#size > HELD) this.#forgetOldest();
  }

  /** Remembers the sources (service and scope) of a request with spans. */
  sawSpans(batch: Batch): void {
    if (!this.#hasAny || this.#spanSources.size >= MOST_SOURCES) return;
    for (const scope of this.#sources.scopesOf(batch).keys())
      this.#spanSources.add(this.#sources.sourceOf(batch, scope));
  }

  /**
   * Whether records of the batch may belong to spans: one of their sources also sends spans, or there were too many sources to remember.
   */
  mayJoin(batch: Batch): boolean {
    if (this.#spanSources.size >= MOST_SOURCES) return true;
    return [...this.#sources.scopesOf(batch).keys()].some((scope) =>
      this.#spanSources.has(this.#sources.sourceOf(batch, scope)),
    );
  }

  /** Forgets the oldest records while `must` returns true. */
  shrink(must: () => boolean): void {
    while (this.#size > 0 && must()) this.#forgetOldest();
  }

  /** Returns the records that a trace contained when it was last emitted. The returned records are assigned to the trace's spans again. */
  adoptedBefore(records: readonly RowRef[]): LogsByTime {
    const before = new LogsByTime();
    for (const ref of records) before.add(this.#source(ref, LogColumn.scope), ref);
    return before;
  }

  /**
   * Removes and returns the log records that were written during the span; null if the span's source has none. `known` records were already
   * in the trace when the trace was last emitted. `fresh` records were in no trace before, and count as released. The batches of the
   * returned records stay in memory until `release`.
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

  /** Counts records as duplicates that `takeDuring` counted as released. */
  countDuplicates(records: readonly HeldLog[]): void {
    const duplicates = records.filter(({ isCounted }) => isCounted).length;
    this.#counts.released -= duplicates;
    this.#counts.duplicate += duplicates;
  }

  /** Releases records that a trace no longer contains. */
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

interface SourceRecords<Ref> {
  readonly refs: Ref[];
  isSorted: boolean;
}

/** Returns the index of the first item for which `isAfter` is true, by binary search; the list's length if there is none. */
function firstIndex<Item>(items: readonly Item[], isAfter: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
