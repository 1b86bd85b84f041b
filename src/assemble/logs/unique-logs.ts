import type { LogView } from "../../model/telemetry/span-view.ts";
import { hashBytes } from "../../otlp/bytes/byte-table.ts";
import { LogColumn } from "../../otlp/rows/columns.ts";
import { viewLog } from "../../otlp/rows/log-view.ts";
import type { RowRef } from "../batches/row-ref.ts";
import { compareColumns, sameBytes } from "../batches/rows.ts";

/** Returns the records in time order without duplicates. Records with the same time stay in order of arrival. */
export function uniqueLogs(received: readonly RowRef[]): RowRef[] {
  const sorted = received.toSorted((a, b) => compareColumns(a, LogColumn.time, b, LogColumn.time));
  const unique: RowRef[] = [];
  for (let from = 0; from < sorted.length;) {
    const first = sorted[from] as RowRef;
    let to = from + 1;
    while (
      to < sorted.length &&
      compareColumns(first, LogColumn.time, sorted[to] as RowRef, LogColumn.time) === 0
    )
      to++;
    if (to === from + 1) unique.push(first);
    else addUnique(sorted.slice(from, to), unique);
    from = to;
  }
  return unique;
}

/**
 * Adds records with the same time, without duplicates. Duplicates are first recognised by their bytes, which is fast; the remaining records
 * are compared by content.
 */
function addUnique(records: readonly RowRef[], unique: RowRef[]): void {
  const different = withoutEqualBytes(records);
  if (different.length === 1) unique.push(...different);
  else addUniqueContents(different, unique);
}

function withoutEqualBytes(records: readonly RowRef[]): readonly RowRef[] {
  const byHash = new Map<number, RowRef[]>();
  const different: RowRef[] = [];
  for (const record of records) {
    const hash = hashOf(record);
    const alike = byHash.get(hash);
    if (alike?.some((other) => isSame(other, record)) === true) continue;
    if (alike === undefined) byHash.set(hash, [record]);
    else alike.push(record);
    different.push(record);
  }
  return different;
}

/**
 * Adds records without duplicates, compared by content. A comparison of bytes is not sufficient, because two programs may write one record
 * in two ways. Examples: as JSON and as protobuf, with and without spaces, with and without fields of value 0.
 */
function addUniqueContents(records: readonly RowRef[], unique: RowRef[]): void {
  const contents = new Set<string>();
  for (const record of records) {
    const content = contentOf(viewLog(record.batch, record.row));
    if (contents.has(content)) continue;
    contents.add(content);
    unique.push(record);
  }
}

function contentOf(log: LogView): string {
  const attributes = log.keys().map((key) => [key, log.named(key) ?? null]);
  return JSON.stringify([
    log.spanId ?? null,
    log.eventName,
    log.severityNumber,
    log.droppedAttributes,
    log.body ?? null,
    attributes,
  ]);
}

function hashOf({ batch, at }: RowRef): number {
  const { rows, view } = batch;
  const span = (rows[at + LogColumn.spanId] ?? 0) ^ Math.imul(rows[at + LogColumn.spanId + 1] ?? 0, 31);
  return span ^ hashBytes(view, rows[at + LogColumn.bytes] ?? 0, rows[at + LogColumn.bytes + 1] ?? 0);
}

function isSame(a: RowRef, b: RowRef): boolean {
  return compareColumns(a, LogColumn.spanId, b, LogColumn.spanId) === 0 && sameBytes(a, b, LogColumn.bytes);
}
