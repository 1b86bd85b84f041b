import { logAt, spanAt } from "../otlp/batch.ts";
import { LogColumn, SpanColumn } from "../otlp/columns.ts";
import type { OpenTrace } from "./open-trace.ts";
import type { Placed, RowRef } from "./row-ref.ts";

export function isRoot(rows: Int32Array, at: number): boolean {
  return ((rows[at + SpanColumn.parentSpanId] ?? 0) | (rows[at + SpanColumn.parentSpanId + 1] ?? 0)) === 0;
}

/** The trace's span rows, in the order they came. */
export function spanRows(open: OpenTrace): Placed[] {
  const found: Placed[] = [];
  for (let share = open.lastShare; share !== undefined; share = share.before) {
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
export function logRows(open: OpenTrace): RowRef[] {
  const found: RowRef[] = [];
  for (let share = open.lastShare; share !== undefined; share = share.before) {
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

/** The same, by a column of each. */
export function compareColumns(a: RowRef, aColumn: number, b: RowRef, bColumn: number): number {
  const high = unsigned(a.batch.rows[a.at + aColumn + 1]) - unsigned(b.batch.rows[b.at + bColumn + 1]);
  return high !== 0 ? high : unsigned(a.batch.rows[a.at + aColumn]) - unsigned(b.batch.rows[b.at + bColumn]);
}

function unsigned(word = 0): number {
  return word >>> 0;
}

/** By the span ids in a column of each, as their hex digits would sort. */
export function compareIds(a: RowRef, aColumn: number, b: RowRef, bColumn: number): number {
  const first = bigEndian(a.batch.rows[a.at + aColumn]) - bigEndian(b.batch.rows[b.at + bColumn]);
  if (first !== 0) return first;
  return bigEndian(a.batch.rows[a.at + aColumn + 1]) - bigEndian(b.batch.rows[b.at + bColumn + 1]);
}

export function compareSpanIds(a: RowRef, b: RowRef): number {
  return compareIds(a, SpanColumn.spanId, b, SpanColumn.spanId);
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
