import type { Trace } from "../assemble/trace.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import { anyValue, attributesJson, nanosecondsText } from "../model/telemetry/any-value.ts";
import type { AttributesView, LogView, SpanView } from "../model/telemetry/span-view.ts";

/**
 * Converts a trace into OTLP/JSON: one request with its spans, and one with its log records. An empty request
 * is left out.
 */
export function otlpJsonOf(trace: Trace): readonly JsonObject[] {
  const logs = [...trace.uncorrelatedLogs, ...trace.spans.flatMap((span) => span.logs)];
  const spans = grouped(trace.spans, (span) => spanJson(span), "spans");
  const requests: JsonObject[] = spans.length === 0 ? [] : [{ resourceSpans: spans }];
  if (logs.length > 0) {
    requests.push({
      resourceLogs: grouped(logs, (log) => logJson(log, trace.traceId), "logRecords"),
    });
  }
  return requests;
}

type Item = { readonly resource: AttributesView; readonly scopeName: string; readonly scopeVersion?: string };

/** Groups items by resource and scope, in the order of the items. */
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
    startTimeUnixNano: String(span.startUnixNano),
    endTimeUnixNano: String(span.endUnixNano),
    attributes: attributesJson(span),
    droppedAttributesCount: span.droppedAttributes,
    events: span.events.map((event) => ({
      name: event.name,
      timeUnixNano: nanosecondsText(event.timeUnixMs),
      attributes: attributesJson(event),
    })),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    status: { code: span.status, message: span.statusMessage },
  };
}

function logJson(log: LogView, traceId: string): JsonObject {
  return {
    timeUnixNano: nanosecondsText(log.timeUnixMs),
    severityNumber: log.severityNumber,
    eventName: log.eventName,
    ...(log.body === undefined ? {} : { body: anyValue(log.body) }),
    attributes: attributesJson(log),
    droppedAttributesCount: log.droppedAttributes,
    traceId,
    ...(log.spanId === undefined ? {} : { spanId: log.spanId }),
  };
}
