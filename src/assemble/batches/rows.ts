import { logAt, spanAt } from "../../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../../otlp/rows/columns.ts";
import type { TraceEntry } from "../trace-entry.ts";
import type { Placed, RowRef } from "./row-ref.ts";

export function isRoot(rows: Int32Array, at: number): boolean {
  return ((rows[at + SpanColumn.parentSpanId] ?? 0) | (rows[at + SpanColumn.parentSpanId + 1] ?? 0)) === 0;
}

/** Returns the trace's span rows in order of arrival. */
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
  return found.reverse(); // The loop found the rows from the last to the first, because each row links to its predecessor.
}

/** Returns the trace's log rows in order of arrival. */
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

/**
 * Compares a column of one row with a column of another row. The columns have unsigned 64-bit numbers, stored as a low and a high word. The
 * result is only -1, 0 or 1: the difference of two words can exceed V8's
 * small integers.
 */
export function compareColumns(a: RowRef, aColumn: number, b: RowRef, bColumn: number): number {
  const left = a.at + aColumn;
  const right = b.at + bColumn;
  const word = a.batch.rows[left + 1] === b.batch.rows[right + 1] ? 0 : 1;
  const first = (a.batch.rows[left + word] ?? 0) >>> 0;
  const second = (b.batch.rows[right + word] ?? 0) >>> 0;
  return first < second ? -1 : first > second ? 1 : 0;
}

/**
 * Compares span ids in the order of their hex digits. Most words are equal, and equal words are compared without converting their bytes.
 */
export function compareSpanIds(a: RowRef, b: RowRef): number {
  const left = a.at + SpanColumn.spanId;
  const right = b.at + SpanColumn.spanId;
  const word = a.batch.rows[left] === b.batch.rows[right] ? 1 : 0;
  const first = a.batch.rows[left + word];
  const second = b.batch.rows[right + word];
  if (first === second) return 0;
  return bigEndian(first) < bigEndian(second) ? -1 : 1;
}

/** Maximum number of rows for which insertion sort is faster than `Array.sort`. */
const FEW = 24;

/** Returns a sorted copy. Rows that compare as equal stay in their order. */
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

/** Whether two rows have the same bytes, as after an exporter's retry. If another program sent the same content, the bytes may differ. */
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

/** Converts a word that was read as little-endian into the number that its bytes mean as big-endian. */
function bigEndian(word = 0): number {
  return (((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}
