import type { Telemetry, TelemetryReading } from "../archive.ts";
import type { JsonObject, JsonValue } from "../../model/json.ts";
import type { AttributesView, LogView, SpanView } from "../../model/telemetry/span-view.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import { viewLog } from "../../otlp/rows/log-view.ts";
import { readLogsJson, readTracesJson } from "../../otlp/json/read-json.ts";
import { readLogs, readTraces } from "../../otlp/protobuf/read-protobuf.ts";
import { viewSpan } from "../../otlp/rows/span-view.ts";
import { otlpObject } from "../write/otlp-json.ts";
import { groupBy } from "../../support/structures/group-by.ts";

/** Converts stored telemetry into spans with decoded attributes, or into OTLP/JSON. */
export const telemetryReading: Omit<TelemetryReading, "messages"> = {
  spans: (parts) => Promise.resolve(spansOf(parts)),
  lines: (parts) => Promise.resolve(parts.map((part) => `${JSON.stringify(otlpObject(part))}\n`).join("")),
};

function spansOf(parts: readonly Telemetry[]): object[] {
  return spanViewsOf(parts).map((span) => spanJson(span, span.logs));
}

/**
 * Returns each span once, sorted by start time. If a span was received several times, the last copy is returned. Attaches log records to
 * the span with the same span id.
 */
export function spanViewsOf(parts: readonly Telemetry[]): readonly SpanView[] {
  const logs = parts.filter(({ signal }) => signal === "logs").flatMap((part) => logsIn(readTelemetry(part)));
  const bySpan = groupBy(logs, ({ spanId }) => spanId);
  const spans = parts
    .filter(({ signal }) => signal === "traces")
    .flatMap((part) => spansIn(readTelemetry(part), bySpan));
  const unique = new Map(spans.map((span) => [`${span.traceId}-${span.spanId}`, span]));
  return [...unique.values()].sort((a, b) => a.startUnixMs - b.startUnixMs);
}

/** Decodes stored telemetry; undefined if decoding fails. */
export function readTelemetry({ signal, encoding, bytes }: Telemetry): Batch | undefined {
  const readers =
    signal === "traces"
      ? { protobuf: readTraces, json: readTracesJson }
      : { protobuf: readLogs, json: readLogsJson };
  const result = readers[encoding](bytes);
  return result.ok ? result.batch : undefined;
}

function spansIn(batch: Batch | undefined, logs: ReadonlyMap<string, readonly LogView[]>): SpanView[] {
  if (batch === undefined) return [];
  return Array.from({ length: batch.spanCount }, (_, row) =>
    viewSpan(batch, row, logs.get(viewSpan(batch, row, []).spanId) ?? []),
  );
}

function logsIn(batch: Batch | undefined): LogView[] {
  if (batch === undefined) return [];
  return Array.from({ length: batch.logCount }, (_, row) => viewLog(batch, row));
}

function spanJson(span: SpanView, logs: readonly LogView[]): object {
  return {
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId ?? null,
    name: span.name,
    kind: span.kind,
    status: span.status,
    status_message: span.statusMessage,
    start_unix_ms: span.startUnixMs,
    duration_ms: span.endUnixMs - span.startUnixMs,
    scope: { name: span.scopeName, version: span.scopeVersion },
    resource: attributesOf(span.resource),
    attributes: attributesOf(span),
    events: span.events.map((event) => ({
      name: event.name,
      time_unix_ms: event.timeUnixMs,
      attributes: attributesOf(event),
    })),
    links: span.links.map(({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId })),
    logs: logs.map((log) => ({
      event_name: log.eventName,
      time_unix_ms: log.timeUnixMs,
      body: log.body ?? null,
      attributes: attributesOf(log),
    })),
  };
}

function attributesOf(view: AttributesView): JsonObject {
  const entries = view.keys().map((key): [string, JsonValue] => [key, view.named(key) ?? null]);
  return Object.fromEntries(entries);
}
