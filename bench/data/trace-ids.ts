import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { spanAt } from "../../src/otlp/rows/batch.ts";
import { SpanColumn } from "../../src/otlp/rows/columns.ts";

/** Positions of the trace ids in a generated protobuf body. The trace id is the first field of each span. */
export function traceIdPlaces(body: Uint8Array): number[] {
  const read = readTraces(body);
  if (!read.ok) throw new Error(read.message);
  const { rows, spanCount } = read.batch;
  return Array.from({ length: spanCount }, (_, row) => (rows[spanAt(row) + SpanColumn.bytes] ?? 0) + 2);
}

/** Overwrites the last three bytes of each trace id with a number, so that the same body can be sent again as other traces. */
export function renumber(body: Uint8Array, places: readonly number[], round: number): void {
  for (const place of places) {
    body[place + 13] = round >>> 16;
    body[place + 14] = round >>> 8;
    body[place + 15] = round;
  }
}
