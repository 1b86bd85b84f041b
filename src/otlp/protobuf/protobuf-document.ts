import { Wire } from "./protobuf-wire.ts";
import { readLogs, readMetrics, readTraces } from "./read-protobuf.ts";
import type { DocumentResult } from "../read-result.ts";

type Signal = "traces" | "logs" | "metrics";

const FIRST_FIELD = 10;
const SECOND_FIELD = 18;
/** Tags of the nested repeated fields: request → resource container → scope container → record. */
const PATH = [FIRST_FIELD, SECOND_FIELD, SECOND_FIELD];

/**
 * Reads a protobuf request whose signal is unknown. The containers of all signals are alike, so the signal is recognised by the fields of
 * the records. After the call, `body` belongs to the batch.
 */
export function readDocument(body: Uint8Array): DocumentResult {
  const wire = new Wire();
  wire.view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const signal = signalOf(wire, body.length) ?? "traces";
  if (signal === "logs") return withoutPoints(readLogs(body));
  if (signal === "traces") return withoutPoints(readTraces(body));
  const metrics = readMetrics(body);
  if (!metrics.ok) return metrics;
  const empty = readTraces(body.subarray(0, 0));
  return empty.ok ? { ...empty, dataPoints: metrics.dataPoints, recognised: true } : empty;
}

function withoutPoints(result: ReturnType<typeof readTraces>): DocumentResult {
  return result.ok ? { ...result, dataPoints: 0, recognised: true } : result;
}

function signalOf(wire: Wire, end: number): Signal | undefined {
  try {
    return inside(wire, 0, end, 0);
  } catch {
    return undefined;
  }
}

/**
 * Returns the signal of the first recognisable record in the message at [start, end), which is `level` levels below the request; undefined
 * if there is none.
 */
function inside(wire: Wire, start: number, end: number, level: number): Signal | undefined {
  if (level === PATH.length) return recordSignal(wire, start, end);
  let p = start;
  while (p < end) {
    const tag = wire.view.getUint8(p);
    const next = wire.skip(tag, p + 1, end, 0);
    if (tag === PATH[level]) {
      wire.varint(p + 1);
      const signal = inside(wire, wire.at, next, level + 1);
      if (signal !== undefined) return signal;
    }
    p = next;
  }
  return undefined;
}

/**
 * Recognises the signal of a record by its fields. A span has times in fields 7 and 8, a log record in fields 1 and 11. A span without
 * times still has two ids. A metric has a name, and no times. Any other record is read as a log record.
 */
function recordSignal(wire: Wire, start: number, end: number): Signal | undefined {
  const { view } = wire;
  let named = false;
  let ids = 0;
  let p = start;
  while (p < end) {
    const tag = view.getUint8(p);
    if (tag === 57 || tag === 65) return "traces";
    if (tag === 9 || tag === 89) return "logs";
    if (tag === FIRST_FIELD) named = true;
    if (
      (tag === FIRST_FIELD && view.getUint8(p + 1) === 16) ||
      (tag === SECOND_FIELD && view.getUint8(p + 1) === 8)
    ) {
      ids++;
    }
    p = wire.skip(tag, p + 1, end, 0);
  }
  if (ids === 2) return "traces";
  if (named) return "metrics";
  return end > start ? "logs" : undefined;
}
