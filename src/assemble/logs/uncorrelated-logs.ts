import { type Batch, logAt } from "../../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../../otlp/rows/columns.ts";
import type { ReferenceCountedBatches } from "../batches/reference-counted-batches.ts";
import type { RowRef } from "../batches/row-ref.ts";
import { compareColumns } from "../batches/rows.ts";
import type { BatchSources } from "./batch-sources.ts";
import { append } from "../../support/structures/group-by.ts";

const HELD = 10_000;
/** Sources that are distinguished; with more of them every record may join. */
const MOST_SOURCES = 1_000;

/**
 * Log records that name no trace, as some instrumentations write the messages of their model calls. One belongs to the span during which it was
 * written by the same instrumentation in the same service. A bounded number is held, the oldest forgotten first.
 */
export class UncorrelatedLogs {
  readonly #held = new Map<string, RowRef[]>();
  readonly #pinned: ReferenceCountedBatches;
  #count = 0;
  /** Where spans have come from since the first of these records came. */
  readonly #spanSources = new Set<string>();
  #hasAny = false;
  readonly #sources: BatchSources;

  constructor(pinned: ReferenceCountedBatches, sources: BatchSources) {
    this.#pinned = pinned;
    this.#sources = sources;
  }

  get size(): number {
    return this.#count;
  }

  add(batch: Batch, row: number): void {
    const ref = { batch, row, at: logAt(batch, row) };
    const from = this.#source(ref, LogColumn.scope);
    this.#hasAny = true;
    append(this.#held, from, ref);
    this.#count++;
    this.#pinned.pin(batch);
    if (this.#count > HELD) this.#forgetOldest();
  }

  /** Notes where the spans of a request come from. */
  sawSpans(batch: Batch): void {
    if (!this.#hasAny || this.#spanSources.size >= MOST_SOURCES) return;
    for (const scope of this.#sources.scopesOf(batch).keys())
      this.#spanSources.add(this.#sources.sourceOf(batch, scope));
  }

  /** Whether spans come from where one of the request's records comes from. If none does, the records belong to no span. */
  mayJoin(batch: Batch): boolean {
    if (this.#spanSources.size >= MOST_SOURCES) return true;
    return [...this.#sources.scopesOf(batch).keys()].some((scope) =>
      this.#spanSources.has(this.#sources.sourceOf(batch, scope)),
    );
  }

  /** Forgets the oldest as long as it has to. */
  shrink(must: () => boolean): void {
    while (this.#count > 0 && must()) this.#forgetOldest();
  }

  /** Takes out the records that were written during the span. */
  takeDuring(span: RowRef): RowRef[] {
    if (this.#count === 0) return [];
    const from = this.#source(span, SpanColumn.scope);
    const same = this.#held.get(from);
    if (same === undefined) return [];
    const taken = same.filter((log) => isDuring(log, span));
    if (taken.length === 0) return [];
    const gone = new Set(taken);
    const rest = same.filter((log) => !gone.has(log));
    this.#count -= taken.length;
    for (const { batch } of taken) this.#pinned.unpin(batch);
    if (rest.length === 0) this.#held.delete(from);
    else this.#held.set(from, rest);
    return taken;
  }

  #source({ batch, at }: RowRef, column: number): string {
    return this.#sources.sourceOf(batch, batch.rows[at + column] ?? 0);
  }

  #forgetOldest(): void {
    for (const [from, refs] of this.#held) {
      const oldest = refs.shift();
      this.#count--;
      if (oldest !== undefined) this.#pinned.unpin(oldest.batch);
      if (refs.length === 0) this.#held.delete(from);
      return;
    }
  }
}

export function isDuring(log: RowRef, span: RowRef): boolean {
  return (
    compareColumns(log, LogColumn.time, span, SpanColumn.start) >= 0 &&
    compareColumns(log, LogColumn.time, span, SpanColumn.end) <= 0
  );
}
