import type { LogView } from "../../model/telemetry/span-view.ts";
import { type Batch, scopeAt } from "../../otlp/rows/batch.ts";
import { LogColumn, ScopeColumn, SpanColumn } from "../../otlp/rows/columns.ts";
import { cutJson, type JsonRecord } from "../../otlp/json/cut-json.ts";
import { cutProtobuf } from "../../otlp/protobuf/cut-protobuf.ts";
import { placeOfLog } from "../../otlp/rows/log-view.ts";
import { placeOfSpan } from "../../otlp/rows/span-view.ts";
import type { Trace } from "../trace.ts";
import { append } from "../../support/structures/group-by.ts";

/** The telemetry of one trace that arrived in one request, as an OTLP message. */
export interface TraceBytes {
  readonly signal: "traces" | "logs";
  readonly encoding: "protobuf" | "json";
  readonly bytes: Uint8Array;
}

/**
 * Returns the spans and log records of a trace as they were sent: one message for each original request, in the order of the trace's spans.
 * Reading these messages gives the same trace again.
 */
export function traceBytes(trace: Trace): TraceBytes[] {
  const spans = new Map<Batch, JsonRecord[]>();
  const logs = new Map<Batch, JsonRecord[]>();
  for (const span of trace.spans) {
    const place = placeOfSpan(span);
    if (place === undefined) continue;
    const { resource, scopeName, scopeVersion } = span;
    append(spans, place.batch, {
      place,
      ...bytesAt(place, SpanColumn.bytes),
      resource,
      resourceIndex: resourceIndexOf(place, SpanColumn.scope),
      scopeName,
      scopeVersion,
    });
    for (const log of span.logs) addLog(logs, log);
  }
  for (const log of trace.uncorrelatedLogs) addLog(logs, log);
  return [...messages("traces", spans), ...messages("logs", logs)];
}

function addLog(to: Map<Batch, JsonRecord[]>, log: LogView): void {
  const place = placeOfLog(log);
  if (place === undefined) return;
  const { resource, scopeName } = log;
  append(to, place.batch, {
    place,
    ...bytesAt(place, LogColumn.bytes),
    resource,
    resourceIndex: resourceIndexOf(place, LogColumn.scope),
    scopeName,
    scopeVersion: "",
  });
}

function bytesAt({ batch, at }: JsonRecord["place"], column: number): { start: number; length: number } {
  return { start: batch.rows[at + column] ?? 0, length: batch.rows[at + column + 1] ?? 0 };
}

function resourceIndexOf({ batch, at }: JsonRecord["place"], column: number): number {
  return batch.rows[scopeAt(batch, batch.rows[at + column] ?? 0) + ScopeColumn.resource] ?? 0;
}

function messages(
  signal: TraceBytes["signal"],
  records: ReadonlyMap<Batch, readonly JsonRecord[]>,
): TraceBytes[] {
  return [...records].map(([batch, some]) => {
    const bytes =
      batch.encoding === "json"
        ? cutJson(signal, some)
        : cutProtobuf(batch, new Set(some.map(({ start }) => start)));
    return { signal, encoding: batch.encoding, bytes };
  });
}
