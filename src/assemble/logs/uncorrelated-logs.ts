import { type Batch, logAt } from "../../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../../otlp/rows/columns.ts";
import type { LogCounts } from "../assembler-counts.ts";
import type { ReferenceCountedBatches } from "../batches/reference-counted-batches.ts";
import type { UncorrelatedLog, RowRef } from "../batches/row-ref.ts";
import type { BatchSources } from "./batch-sources.ts";
import { UncorrelatedIndex } from "./uncorrelated-index.ts";
import { sessionOfLog, sessionsOfSpan, subjectsOfSpan } from "./session-id.ts";

const HELD = 10_000;
/** Maximum number of remembered sources of spans. If there are more, every record is treated as if it may belong to a span. */
const MOST_SOURCES = 1_000;

/** Maximum number of a trace's sessions. If there are more, the spans of the trace may get records of any session. */
const MOST_SESSIONS = 16;

const none: readonly string[] = [];

/** A retained log record. `isCounted` is false if the record is already counted with the trace of its session. */
export interface HeldLog extends UncorrelatedLog {
  readonly isCounted: boolean;
}

/**
 * Log records without a trace id. Some instrumentations write the messages of model calls into such records. A record belongs to the span
 * during which the same instrumentation of the same service wrote it. If the record names a session and a call or tool, it belongs to the
 * span that names the same. If a record names a session, it belongs to no trace that names only other sessions. The number of retained
 * records is limited; the oldest are forgotten.
 */
export class UncorrelatedLogs {
  readonly #held = new UncorrelatedIndex<HeldLog>((log) => this.#source(log, LogColumn.scope));
  readonly #pinned: ReferenceCountedBatches;
  readonly #counts: LogCounts;
  #size = 0;
  #uncounted = 0;
  /** Sources (service and scope) of spans. Only spans count that arrived after the first record without a trace id. */
  readonly #spanSources = new Set<string>();
  #hasAny = false;
  readonly #spanServices = new Set<string>();
  /** Services whose records name sessions. */
  readonly #sessionServices = new Set<string>();
  /** Services whose records name calls or tools, and the batches of such records. */
  readonly #subjectServices = new Set<string>();
  readonly #withSubjects = new WeakSet<Batch>();
  readonly #sources: BatchSources;

  constructor(pinned: ReferenceCountedBatches, sources: BatchSources, counts: LogCounts) {
    this.#pinned = pinned;
    this.#sources = sources;
    this.#counts = counts;
  }

  /** Number of retained records that have no outcome yet. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /**
   * @param isCounted whether this class counts the record; false if the record is counted with the trace of its session
   * @param subject session, and id of the call or tool, that the record names, as one text; undefined if it does not name both
   */
  add(batch: Batch, row: number, isCounted: boolean, subject: string | undefined): void {
    this.#hasAny = true;
    const at = logAt(batch, row);
    const service = this.#serviceOf({ batch, at }, LogColumn.scope);
    const session = sessionOfLog(batch, row, service);
    const ref = { batch, row, at, isCounted, session, subject };
    this.#held.add(ref);
    if (session !== undefined && this.#sessionServices.size < MOST_SOURCES)
      this.#sessionServices.add(service);
    if (subject !== undefined) this.#addSubject(ref);
    this.#size++;
    if (isCounted) this.#uncounted++;
    this.#pinned.pin(batch);
    if (this.#size > HELD) this.#forgetOldest();
  }

  /** Remembers the sources (service and scope) of a request that contains spans. */
  sawSpans(batch: Batch): void {
    if (!this.#hasAny || this.#spanSources.size >= MOST_SOURCES) return;
    for (const scope of this.#sources.scopesOf(batch).keys()) {
      this.#spanSources.add(this.#sources.sourceOf(batch, scope));
      this.#spanServices.add(this.#sources.serviceOf(batch, scope));
    }
  }

  /**
   * Whether records of the batch may belong to spans. True in three cases. One of the records' sources also sends spans. Records name a
   * call or tool, and their service also sends spans. Or there were too many sources to remember.
   */
  mayJoin(batch: Batch): boolean {
    if (this.#spanSources.size >= MOST_SOURCES) return true;
    const hasSubjects = this.#withSubjects.has(batch);
    return [...this.#sources.scopesOf(batch).keys()].some(
      (scope) =>
        this.#spanSources.has(this.#sources.sourceOf(batch, scope)) ||
        (hasSubjects && this.#spanServices.has(this.#sources.serviceOf(batch, scope))),
    );
  }

  /** Forgets the oldest records while `must` returns true. */
  shrink(must: () => boolean): void {
    while (this.#size > 0 && must()) this.#forgetOldest();
  }

  /**
   * Returns an index of the records that the trace contained when it was last emitted. From this index, they are assigned to the trace's
   * spans again.
   */
  adoptedBefore(records: readonly UncorrelatedLog[]): UncorrelatedIndex {
    const before = new UncorrelatedIndex((log) => this.#source(log, LogColumn.scope));
    for (const log of records) before.add(log);
    return before;
  }

  /** Whether a source of the spans wrote records, or a service of theirs records that name calls or tools. */
  mayHaveAnyFor(spans: readonly RowRef[]): boolean {
    if (this.#size === 0) return false;
    /** Batch and scope of the span before, which nearly always are those of the span, too. */
    let [last, lastScope]: [Batch | undefined, number] = [undefined, -1];
    for (const { batch, at } of spans) {
      const scope = batch.rows[at + SpanColumn.scope] ?? 0;
      if (batch === last && scope === lastScope) continue;
      [last, lastScope] = [batch, scope];
      if (this.#held.has(this.#sources.sourceOf(batch, scope))) return true;
      if (this.#subjectServices.has(this.#sources.serviceOf(batch, scope))) return true;
    }
    return false;
  }

  /** Returns the services and sessions that the spans of a trace name. Empty if there are too many, or if no record names a session. */
  sessionsOf(spans: readonly RowRef[]): readonly string[] {
    if (this.#sessionServices.size === 0) return none;
    const sessions = new Set<string>();
    for (const span of spans) {
      const service = this.#serviceOf(span, SpanColumn.scope);
      if (!this.#sessionServices.has(service)) continue;
      for (const session of sessionsOfSpan(span.batch, span.row, service)) sessions.add(session);
      if (sessions.size > MOST_SESSIONS) return none;
    }
    return [...sessions];
  }

  /**
   * Removes and returns the log records that were written during the span, or that name its call or tool; null if there are no such
   * records. `known` records were already in the trace when the trace was last emitted. `fresh` records were in no trace before, and count
   * as released. The batches of the returned records stay in memory until `release`.
   * @param sessions result of `sessionsOf` for the span's trace
   */
  takeFor(
    span: RowRef,
    sessions: readonly string[],
    before: UncorrelatedIndex,
  ): { readonly known: readonly UncorrelatedLog[]; readonly fresh: readonly HeldLog[] } | null {
    const source = this.#source(span, SpanColumn.scope);
    const subjects = this.#subjectsOf(span);
    const fresh = this.#held.takeFor(span, source, sessions, subjects);
    const known = before.takeFor(span, source, sessions, subjects);
    if (fresh.length + known.length === 0) return null;
    for (const { isCounted } of fresh) this.#end(isCounted, "released");
    return { known, fresh };
  }

  /** Counts records as duplicates. Before, `takeFor` had counted them as released. */
  countDuplicates(records: readonly HeldLog[]): void {
    const duplicates = records.filter(({ isCounted }) => isCounted).length;
    this.#counts.released -= duplicates;
    this.#counts.duplicate += duplicates;
  }

  /** Releases records that a trace no longer contains. */
  release(records: readonly RowRef[]): void {
    for (const { batch } of records) this.#pinned.unpin(batch);
  }

  #addSubject({ batch, at }: RowRef): void {
    this.#withSubjects.add(batch);
    if (this.#subjectServices.size < MOST_SOURCES)
      this.#subjectServices.add(this.#serviceOf({ batch, at }, LogColumn.scope));
  }

  #serviceOf({ batch, at }: Pick<RowRef, "batch" | "at">, column: number): string {
    return this.#sources.serviceOf(batch, batch.rows[at + column] ?? 0);
  }

  #subjectsOf(span: RowRef): readonly string[] {
    if (this.#subjectServices.size === 0) return none;
    const { batch, row } = span;
    const service = this.#serviceOf(span, SpanColumn.scope);
    return this.#subjectServices.has(service) ? subjectsOfSpan(batch, row, service) : none;
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
