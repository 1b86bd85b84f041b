import type { Trace } from "../assemble/trace.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { AttributesView, LogView, SpanView } from "../model/telemetry/span-view.ts";

/** Converts a trace into OTLP/JSON: one request for its spans, and one for its log records, if any. */
export function otlpJsonOf(trace: Trace): readonly JsonObject[] {
  const logs = [...trace.uncorrelatedLogs, ...trace.spans.flatMap((span) => span.logs)];
  const spans = grouped(trace.spans, (span) => spanJson(span), "spans");
  const requests: JsonObject[] = [{ resourceSpans: spans }];
  if (logs.length > 0) {
    requests.push({
      resourceLogs: grouped(logs, (log) => logJson(log, trace.traceId), "logRecords"),
    });
  }
  return requests;
}

type Item = { readonly resource: AttributesView; readonly scopeName: string; readonly scopeVersion?: string };

/** Groups items by resource and scope, in order. */
function grouped<One extends Item>(
  items: readonly One[],
  json: (item: One) => JsonObject,
  name: "spans" | "logRecords",
): JsonObject[] {
  const groups = new Map<string, { resource: JsonValue; scope: JsonObject; items: JsonObject[] }>();
  for (const item of items) {
    const resource = { attributes: attributesJson(item.resource) };
    const scope = { name: item.scopeName, version: item.scopeVersion ?? "" };
    const key = JSON.stringify([resource, scope]);
    const group = groups.get(key) ?? { resource, scope, items: [] as JsonObject[] };
    groups.set(key, group);
    group.items.push(json(item));
  }
  const inner = name === "spans" ? "scopeSpans" : "scopeLogs";
  return [...groups.values()].map(({ resource, scope, items: own }) => ({
    resource,
    [inner]: [{ scope, [name]: own }],
  }));
}

function spanJson(span: SpanView): JsonObject {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    flags: span.flags ?? 0,
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: nanoseconds(span.startUnixMs),
    endTimeUnixNano: nanoseconds(span.endUnixMs),
    attributes: attributesJson(span),
    droppedAttributesCount: span.droppedAttributes,
    events: span.events.map((event) => ({
      name: event.name,
      timeUnixNano: nanoseconds(event.timeUnixMs),
      attributes: attributesJson(event),
    })),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    status: { code: span.status, message: span.statusMessage },
  };
}

function logJson(log: LogView, traceId: string): JsonObject {
  return {
    timeUnixNano: nanoseconds(log.timeUnixMs),
    severityNumber: log.severityNumber,
    eventName: log.eventName,
    ...(log.body === undefined ? {} : { body: anyValue(log.body) }),
    attributes: attributesJson(log),
    traceId,
    ...(log.spanId === undefined ? {} : { spanId: log.spanId }),
  };
}

function attributesJson(view: AttributesView): JsonObject[] {
  return [...new Set(view.keys())].map((key) => ({ key, value: anyValue(view.named(key) ?? null) }));
}

function anyValue(value: JsonValue): JsonObject {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (!isObject(value)) return {};
  return {
    kvlistValue: { values: Object.entries(value).map(([key, inner]) => ({ key, value: anyValue(inner) })) },
  };
}

/** Converts milliseconds into nanoseconds, exact for every time that a double can hold. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)));
}
