import { Wire } from "./protobuf-wire.ts";

const CONTAINER_TAGS: readonly (readonly number[])[] = [[10], [18], [18]];
/** Tag of field 1 of a span, its trace id. */
const SPAN_TRACE_ID_TAG = 10;
/** Tag of field 9: the trace id of a log record, or the attributes of a span. */
const LOG_TRACE_ID_TAG = 74;
const DEPRECATED_SCOPE_TAG = (1000 << 3) | 2;

/**
 * Calls `visit` with the offset of each record's trace id, without decoding values. Ids that are not 16 bytes long are skipped; invalid
 * bytes end the search. Other fields of 16 bytes may be visited, too.
 */
export function protobufTraceIds(view: DataView, visit: (at: number) => void): void {
  const wire = new Wire();
  wire.view = view;
  try {
    walk(wire, 0, view.byteLength, 0, visit);
  } catch {
    // `visit` was called for all records before the invalid bytes. The full reader, which runs later, reports the error.
  }
}

function walk(wire: Wire, start: number, end: number, level: number, visit: (at: number) => void): void {
  const { view } = wire;
  const containers = CONTAINER_TAGS[level];
  let p = start;
  while (p < end) {
    const first = view.getUint8(p);
    if (containers === undefined) {
      if ((first === SPAN_TRACE_ID_TAG || first === LOG_TRACE_ID_TAG) && view.getUint8(p + 1) === 16)
        visit(p + 2);
      if (first === SPAN_TRACE_ID_TAG) return;
      p = wire.skip(first, p + 1, end, 0);
      continue;
    }
    wire.varint(p);
    const tag = wire.low;
    const content = wire.at;
    const next = wire.skip(first, p + 1, end, 0);
    if (containers.includes(tag) || (level === 1 && tag === DEPRECATED_SCOPE_TAG)) {
      wire.varint(content);
      walk(wire, wire.at, next, level + 1, visit);
    }
    p = next;
  }
}
