import { hexOf } from "../../otlp/bytes/text.ts";
import { type Batch, logAt, spanAt } from "../../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../../otlp/rows/columns.ts";

/** Returns the trace id at a position in a batch's rows, as hex. */
export function traceIdAt(rows: Int32Array, at: number): string {
  return hexOf([rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0, rows[at + 3] ?? 0]);
}

/** Returns the ids of all traces with spans or log records in the batch. */
export function batchTraceIds(batch: Batch): Set<string> {
  const ids = new Set<string>();
  for (let row = 0; row < batch.spanCount; row++) {
    ids.add(traceIdAt(batch.rows, spanAt(row) + SpanColumn.traceId));
  }
  for (let row = 0; row < batch.logCount; row++) {
    ids.add(traceIdAt(batch.rows, logAt(batch, row) + LogColumn.traceId));
  }
  ids.delete("0".repeat(32));
  return ids;
}
