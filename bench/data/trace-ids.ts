import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { spanAt } from "../../src/otlp/rows/batch.ts";
import { SpanColumn } from "../../src/otlp/rows/columns.ts";

/** Where the trace ids of a generated protobuf body stand: each is the first field of its span. */
export function traceIdPlaces(body: Uint8Array): number[] {
  const read = readTraces(body);
  if (!read.ok) throw new Error(read.message);
  const { rows, spanCount } = read.batch;
  return Array.from({ length: spanCount }, (_, row) => (rows[spanAt(row) + SpanColumn.bytes] ?? 0) + 2);
}

/** Writes a number over the last bytes of every trace id, so that a body sent again holds other traces. */
export function renumber(body: Uint8Array, places: readonly number[], round: number): void {
  for (const place of places) {
    body[place + 13] = round >>> 16;
    body[place + 14] = round >>> 8;
    body[place + 15] = round;
  }
}
