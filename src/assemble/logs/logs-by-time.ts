import { LogColumn, SpanColumn } from "../../otlp/rows/columns.ts";
import type { RowRef } from "../batches/row-ref.ts";
import { compareColumns } from "../batches/rows.ts";
import { firstIndex } from "../../support/structures/first-index.ts";

interface SourceRecords<Ref> {
  readonly refs: Ref[];
  isSorted: boolean;
}

/**
 * Log records by source (service and scope). The records of a source are sorted by time at the first search, so that each search is binary.
 */
export class LogsByTime<Ref extends RowRef = RowRef> {
  readonly #bySource = new Map<string, SourceRecords<Ref>>();

  add(source: string, ref: Ref): void {
    const known = this.#bySource.get(source);
    if (known === undefined) {
      this.#bySource.set(source, { refs: [ref], isSorted: true });
      return;
    }
    const last = known.refs.at(-1);
    if (last !== undefined && compareColumns(last, LogColumn.time, ref, LogColumn.time) > 0)
      known.isSorted = false;
    known.refs.push(ref);
  }

  has(source: string): boolean {
    return this.#bySource.has(source);
  }

  /** Removes and returns the records that the source wrote during the span, in time order. */
  takeDuring(source: string, span: RowRef): Ref[] {
    const known = this.#bySource.get(source);
    if (known === undefined) return [];
    const { refs } = known;
    if (!known.isSorted) {
      refs.sort((a, b) => compareColumns(a, LogColumn.time, b, LogColumn.time));
      known.isSorted = true;
    }
    const from = firstIndex(refs, (ref) => compareColumns(ref, LogColumn.time, span, SpanColumn.start) >= 0);
    const to = firstIndex(refs, (ref) => compareColumns(ref, LogColumn.time, span, SpanColumn.end) > 0);
    if (to <= from) return [];
    const taken = refs.splice(from, to - from);
    if (refs.length === 0) this.#bySource.delete(source);
    return taken;
  }

  /** Removes a record that was added for the source. The search begins with the first record, because old records are removed first. */
  remove(source: string, ref: Ref): void {
    const refs = this.#bySource.get(source)?.refs;
    const at = refs?.indexOf(ref) ?? -1;
    if (refs === undefined || at === -1) return;
    refs.splice(at, 1);
    if (refs.length === 0) this.#bySource.delete(source);
  }

  /** Removes and returns the first record of the source that was added to the index first; undefined if there are no records. */
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
