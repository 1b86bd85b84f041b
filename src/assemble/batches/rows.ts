import { logAt, spanAt } from "../../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../../otlp/rows/columns.ts";
import type { TraceEntry } from "../trace-entry.ts";
import type { Placed, RowRef } from "./row-ref.ts";

export function isRoot(rows: Int32Array, at: number): boolean {
  return ((rows[at + SpanColumn.parentSpanId] ?? 0) | (rows[at + SpanColumn.parentSpanId + 1] ?? 0)) === 0;
}

/** The trace's span rows, in the order they came. */
export function spanRows(entry: TraceEntry): Placed[] {
  const found: Placed[] = [];
  for (let share = entry.lastShare; share !== undefined; share = share.before) {
    const { batch } = share;
    for (let row = share.firstSpan; row >= 0;) {
      const at = spanAt(row);
      found.push({ batch, row, at, index: -1 });
      row = batch.rows[at + SpanColumn.next] ?? -1;
    }
  }
  return found.reverse(); // chains run backwards
}

/** The trace's log rows, in the order they came. */
export function logRows(entry: TraceEntry): RowRef[] {
  const found: RowRef[] = [];
  for (let share = entry.lastShare; share !== undefined; share = share.before) {
    const { batch } = share;
    for (let row = share.firstLog; row >= 0;) {
      const at = logAt(batch, row);
      found.push({ batch, row, at });
      row = batch.rows[at + LogColumn.next] ?? -1;
    }
  }
  return found.reverse();
}

/** By one column of unsigned 64-bit numbers, kept as low word and high word. */
export function compareTimes(a: RowRef, b: RowRef, column: number): number {
  return compareColumns(a, column, b, column);
}

/** The same, by a column of each. -1, 0 or 1: a difference of words may be too large to be passed on without making an object of it. */
export function compareColumns(a: RowRef, aColumn: number, b: RowRef, bColumn: number): number {
  const left = a.at + aColumn;
  const right = b.at + bColumn;
  const word = a.batch.rows[left + 1] === b.batch.rows[right + 1] ? 0 : 1;
  const first = (a.batch.rows[left + word] ?? 0) >>> 0;
  const second = (b.batch.rows[right + word] ?? 0) >>> 0;
  return first < second ? -1 : first > second ? 1 : 0;
}

/** By span ids, as their hex digits would sort. Equal words, of which there are many, need not be turned round. */
export function compareSpanIds(a: RowRef, b: RowRef): number {
  const left = a.at + SpanColumn.spanId;
  const right = b.at + SpanColumn.spanId;
  const word = a.batch.rows[left] === b.batch.rows[right] ? 1 : 0;
  const first = a.batch.rows[left + word];
  const second = b.batch.rows[right + word];
  if (first === second) return 0;
  return bigEndian(first) < bigEndian(second) ? -1 : 1;
}

/** The place of the first row whose span id is the one in `ref`'s column; -1 for none. */
export function placeOfSpan(rows: readonly RowRef[], ref: RowRef, column: number): number {
  const first = ref.batch.rows[ref.at + column];
  const second = ref.batch.rows[ref.at + column + 1];
  for (let place = 0; place < rows.length; place++) {
    const { batch, at } = rows[place] as RowRef;
    const id = at + SpanColumn.spanId;
    if (batch.rows[id] === first && batch.rows[id + 1] === second) return place;
  }
  return -1;
}

/** By the span ids in a column of each, in some order. */
export function compareIds(a: RowRef, aColumn: number, b: RowRef, bColumn: number): number {
  const left = a.at + aColumn;
  const right = b.at + bColumn;
  const word = a.batch.rows[left] === b.batch.rows[right] ? 1 : 0;
  const first = a.batch.rows[left + word] ?? 0;
  const second = b.batch.rows[right + word] ?? 0;
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Up to this many rows, the overhead of `Array.sort` is larger than the sorting. */
const FEW = 24;

/** A sorted copy; equal rows keep their order. */
export function sortedRows<Row>(rows: readonly Row[], compare: (a: Row, b: Row) => number): Row[] {
  if (rows.length > FEW) return rows.toSorted(compare);
  const sorted = rows.slice();
  for (let end = 1; end < sorted.length; end++) {
    const row = sorted[end] as Row;
    let at = end;
    for (; at > 0 && compare(sorted[at - 1] as Row, row) > 0; at--) sorted[at] = sorted[at - 1] as Row;
    sorted[at] = row;
  }
  return sorted;
}

/** Byte for byte the same, as an exporter's second attempt is. Only rows of one encoding can be. */
export function sameBytes(a: RowRef, b: RowRef, column: number): boolean {
  const length = a.batch.rows[a.at + column + 1] ?? 0;
  if (length !== b.batch.rows[b.at + column + 1]) return false;
  const left = a.batch.rows[a.at + column] ?? 0;
  const right = b.batch.rows[b.at + column] ?? 0;
  for (let index = 0; index < length; index++) {
    if (a.batch.body[left + index] !== b.batch.body[right + index]) return false;
  }
  return true;
}

/** The word's bytes, read little-endian, as the number they write from left to right. */
function bigEndian(word = 0): number {
  return (((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}
