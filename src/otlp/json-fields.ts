import { ByteTable, hashBytes } from "./byte-table.ts";

/** The names that OTLP/JSON objects use, as small integers to switch on. */
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
} as const;
export const UNKNOWN_FIELD = -1;

/** Added to fields that were written in snake_case, which is not OTLP/JSON but what some tools write. */
export const SNAKE_CASE = 256;

const table = new ByteTable(512, 512);
const byName = new Map<string, number>();

for (const [name, id] of Object.entries(Field)) {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  add(name, id);
  if (snake !== name) add(snake, id + SNAKE_CASE);
}

function add(name: string, id: number): void {
  const bytes = new TextEncoder().encode(name);
  const view = new DataView(bytes.buffer);
  table.add(view, 0, bytes.length, hashBytes(view, 0, bytes.length), id);
  byName.set(name, id);
}

/** The field whose name these bytes are; `UNKNOWN_FIELD` for a name that nothing here reads. */
export function fieldAt(view: DataView, offset: number, length: number): number {
  return table.find(view, offset, length, hashBytes(view, offset, length));
}

/** The field of a name that had to be unescaped first. */
export function fieldNamed(name: string): number {
  return byName.get(name) ?? UNKNOWN_FIELD;
}
