import { BytePool, ByteTable, hashBytes, sameBytes } from "../bytes/byte-table.ts";

/** Field names of OTLP/JSON objects, as small integers for switch statements. */
export const Field = {
  arrayValue: 0,
  attributes: 1,
  body: 2,
  boolValue: 3,
  bytesValue: 4,
  code: 5,
  dataPoints: 6,
  doubleValue: 7,
  droppedAttributesCount: 8,
  endTimeUnixNano: 9,
  eventName: 10,
  events: 11,
  exponentialHistogram: 12,
  flags: 13,
  gauge: 14,
  histogram: 15,
  instrumentationLibrary: 16,
  instrumentationLibraryLogs: 17,
  instrumentationLibrarySpans: 18,
  intValue: 19,
  key: 20,
  kind: 21,
  kvlistValue: 22,
  links: 23,
  logRecords: 24,
  message: 25,
  metrics: 26,
  name: 27,
  observedTimeUnixNano: 28,
  parentSpanId: 29,
  resource: 30,
  resourceLogs: 31,
  resourceMetrics: 32,
  resourceSpans: 33,
  scope: 34,
  scopeLogs: 35,
  scopeMetrics: 36,
  scopeSpans: 37,
  severityNumber: 38,
  spanId: 39,
  spans: 40,
  startTimeUnixNano: 41,
  status: 42,
  stringValue: 43,
  stringValueStrindex: 44,
  sum: 45,
  summary: 46,
  timeUnixNano: 47,
  traceId: 48,
  value: 49,
  values: 50,
  version: 51,
  droppedEventsCount: 52,
  droppedLinksCount: 53,
} as const;
export const UNKNOWN_FIELD = -1;

/** Added to the number of a field whose name is written in snake_case. OTLP/JSON does not allow such names, but some tools write them. */
export const SNAKE_CASE = 256;

const pool = new BytePool();
const table = new ByteTable(512, 512, pool);
/** Position and length of each field's camelCase name in the pool. The name includes the quote and colon after it. */
const places = new Int32Array(256);
const lengths = new Int32Array(256);

for (const [name, id] of Object.entries(Field)) {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  add(name, id);
  const written = new TextEncoder().encode(`${name}":`);
  places[id] = pool.keep(new DataView(written.buffer), 0, written.length);
  lengths[id] = written.length;
  if (snake !== name) add(snake, id + SNAKE_CASE);
}

function add(name: string, id: number): void {
  const bytes = new TextEncoder().encode(name);
  const view = new DataView(bytes.buffer);
  table.add(view, 0, bytes.length, hashBytes(view, 0, bytes.length), id);
}

/** Returns the position of the value, if the name of `field`, a quote and a colon are at `offset`; otherwise -1. */
export function afterName(field: number, view: DataView, offset: number): number {
  const length = lengths[field] as number;
  const end = offset + length;
  if (end > view.byteLength || !sameBytes(pool.view, places[field] as number, view, offset, length))
    return -1;
  return end;
}

/** Returns the field with this name; `UNKNOWN_FIELD` for other names. */
export function fieldAt(view: DataView, offset: number, length: number): number {
  return table.find(view, offset, length, hashBytes(view, offset, length));
}

/** Returns the field with this decoded name; `UNKNOWN_FIELD` for other names. Used for names with escapes. */
export function fieldNamed(name: string): number {
  const bytes = new TextEncoder().encode(name);
  return fieldAt(new DataView(bytes.buffer), 0, bytes.length);
}
