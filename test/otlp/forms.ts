import type { EventForm, Group, LogForm, Pair, SpanForm, Value } from "./requests.ts";

/* The neutral form of a request as a protobufjs message. */

type Message = Record<string, unknown>;

function anyValue(value: Value): Message {
  switch (value.kind) {
    case "empty":
      return {};
    case "string":
      return { stringValue: value.value };
    case "bool":
      return { boolValue: value.value };
    case "int":
      return { intValue: value.value.toString() };
    case "double":
      return { doubleValue: value.value };
    case "bytes":
      return { bytesValue: value.value };
    case "array":
      return { arrayValue: { values: value.value.map(anyValue) } };
    case "map":
      return { kvlistValue: { values: value.value.map(keyValue) } };
  }
}

function keyValue(pair: Pair): Message {
  return { key: pair.key, value: anyValue(pair.value) };
}

function event(form: EventForm): Message {
  return { timeUnixNano: form.time.toString(), name: form.name, attributes: form.attributes.map(keyValue) };
}

function span(form: SpanForm): Message {
  return {
    traceId: form.traceId,
    spanId: form.spanId,
    parentSpanId: form.parent,
    name: form.name,
    kind: form.kind,
    startTimeUnixNano: form.start.toString(),
    endTimeUnixNano: form.end.toString(),
    attributes: form.attributes.map(keyValue),
    droppedAttributesCount: form.dropped,
    events: form.events.map(event),
    links: form.links,
    status: form.status,
    flags: form.flags,
  };
}

function log(form: LogForm): Message {
  return {
    timeUnixNano: form.time.toString(),
    observedTimeUnixNano: form.observed.toString(),
    severityNumber: form.severity,
    eventName: form.eventName,
    body: anyValue(form.body),
    attributes: form.attributes.map(keyValue),
    traceId: form.traceId,
    spanId: form.spanId,
  };
}

export function traceMessage(groups: readonly Group<SpanForm>[]): Message {
  return {
    resourceSpans: groups.map(({ resource, scope, records }) => ({
      resource: { attributes: resource.map(keyValue) },
      scopeSpans: [{ scope, spans: records.map(span) }],
    })),
  };
}

export function logMessage(groups: readonly Group<LogForm>[]): Message {
  return {
    resourceLogs: groups.map(({ resource, scope, records }) => ({
      resource: { attributes: resource.map(keyValue) },
      scopeLogs: [{ scope, logRecords: records.map(log) }],
    })),
  };
}
