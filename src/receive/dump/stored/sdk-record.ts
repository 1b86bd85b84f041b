import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import {
  attribute,
  attributesOf,
  idOf,
  integerText,
  nanosOfDate,
  shown,
  type StoredSpan,
  StoredProblem,
} from "./stored-span.ts";

/*
 * Reads spans and log records that an SDK prints as JSON without OTLP's envelope. Such JSON comes from `to_json()` and the console
 * exporters of Python's SDK, from the log groups of CloudWatch, and from programs that write the fields of a span themselves. The
 * attributes are an object. The names of other fields are in camel or snake case, and times are nanoseconds or ISO 8601.
 */

const kinds = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];
const statuses = ["UNSET", "OK", "ERROR"];

/**
 * Whether the value is a span that an SDK printed. A span of Phoenix also has the field `context`, but in addition the field `span_kind`.
 */
export function isSdkSpan(value: JsonObject): boolean {
  return (
    field(value, "name") !== undefined &&
    idIn(value, "spanId", "span_id") !== "" &&
    idIn(value, "traceId", "trace_id") !== "" &&
    isObject(value["attributes"]) &&
    START.some((name) => name in value) &&
    !("span_kind" in value)
  );
}

/** Whether the value is a log record that an SDK printed. */
export function isSdkLog(value: JsonObject): boolean {
  return "body" in value && isObject(value["attributes"]) && LOGGED.some((name) => name in value);
}

const START = ["startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime"] as const;
const END = ["endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime"] as const;
const LOGGED = ["timeUnixNano", "time_unix_nano", "timestamp", "observedTimeUnixNano"] as const;

/**
 * Converts a span that an SDK printed. Returns undefined for a span that has not ended; some exporters print such a span before the ended
 * one.
 * @throws StoredProblem if a time cannot be read
 */
export function sdkSpan(span: JsonObject): StoredSpan | undefined {
  const end = field(span, ...END);
  if (end === null) return undefined;
  // Some programs write the complete span context of the parent, not only its id.
  const parent = isObject(span["parent"])
    ? span["parent"]["span_id"]
    : field(span, "parentSpanId", "parent_span_id", "parent_id");
  return {
    traceId: idOf(idIn(span, "traceId", "trace_id"), 32),
    spanId: idOf(idIn(span, "spanId", "span_id"), 16),
    parentSpanId: isMissing(idText(parent)) ? "" : idOf(idText(parent), 16),
    name: shown(span["name"]),
    kind: codeOf(kinds, span["kind"]),
    start: nanosOf(field(span, ...START)),
    // OTLP's end time 0 means unknown. Without an end, the duration of the span is then unknown, and not zero.
    end: end === undefined ? "0" : nanosOf(end),
    attributes: attributesIn(span),
    events: objects(field(span, "events", "span_events")).map((event) => ({
      name: shown(field(event, "name", "event_name")),
      timeUnixNano: nanosOf(field(event, ...LOGGED)),
      attributes: attributesIn(event),
    })),
    links: objects(span["links"]).map((link) => ({
      traceId: idOf(idIn(link, "traceId", "trace_id"), 32),
      spanId: idOf(idIn(link, "spanId", "span_id"), 16),
      attributes: attributesIn(link),
    })),
    status: statusOf(span["status"]),
    resource: resourceOf(span),
    scope: scopeOf(span),
  };
}

/**
 * Converts a log record that an SDK printed into an OTLP document.
 * @throws StoredProblem if its time cannot be read
 */
export function sdkLog(record: JsonObject): JsonObject {
  const [traceId, spanId] = [idIn(record, "traceId", "trace_id"), idIn(record, "spanId", "span_id")];
  const severity = field(record, "severityText", "severity_text");
  const logRecord = {
    timeUnixNano: nanosOf(field(record, ...LOGGED)),
    body: attribute("", record["body"] ?? "")["value"] ?? {},
    attributes: attributesIn(record),
    severityText: shown(severity),
    eventName: shown(field(record, "eventName", "event_name")),
    ...(isMissing(traceId) ? {} : { traceId: idOf(traceId, 32) }),
    ...(isMissing(spanId) ? {} : { spanId: idOf(spanId, 16) }),
  };
  const scopeLogs = [{ scope: scopeOf(record), logRecords: [logRecord] }];
  return { resourceLogs: [{ resource: { attributes: resourceOf(record) }, scopeLogs }] };
}

/** Returns the first of these fields that the record has; undefined if it has none. */
function field(record: JsonObject, ...names: readonly string[]): JsonValue | undefined {
  const name = names.find((one) => record[one] !== undefined);
  return name === undefined ? undefined : record[name];
}

/** Returns an id from the record or from its span context; empty text if there is none. */
function idIn(record: JsonObject, ...names: readonly string[]): string {
  const context = isObject(record["context"]) ? record["context"] : record;
  return idText(field(context, ...names));
}

function idText(value: JsonValue | undefined): string {
  return typeof value === "number" ? value.toString(16) : shown(value).replace(/^0x/i, "");
}

/** Whether an id is absent. SDKs print an invalid id as zeros. */
function isMissing(id: string): boolean {
  return /^0*$/.test(id);
}

function attributesIn(record: JsonObject): JsonObject[] {
  const { attributes } = record;
  return isObject(attributes) ? attributesOf(attributes) : [];
}

function resourceOf({ resource }: JsonObject): JsonObject[] {
  if (!isObject(resource)) return [];
  return attributesOf(isObject(resource["attributes"]) ? resource["attributes"] : resource);
}

function scopeOf(record: JsonObject): JsonObject {
  const scope = field(record, "scope", "instrumentation_scope", "instrumentationScope");
  return isObject(scope) ? { name: shown(scope["name"]), version: shown(scope["version"]) } : {};
}

function statusOf(status: JsonValue | undefined): JsonObject {
  if (!isObject(status)) return { code: codeOf(statuses, status), message: "" };
  const code = codeOf(statuses, field(status, "code", "status_code"));
  return { code, message: shown(field(status, "message", "description")) };
}

/** Returns OTLP's number of a kind or status, which may be written as a number, `"OK"`, `"STATUS_CODE_OK"` or `"SpanKind.CLIENT"`. */
function codeOf(names: readonly string[], value: JsonValue | undefined): number {
  if (typeof value === "number") return value;
  const name = shown(value).toUpperCase();
  return Math.max(
    0,
    names.findIndex((one) => name === one || name.endsWith(`.${one}`) || name.endsWith(`_${one}`)),
  );
}

function nanosOf(value: JsonValue | undefined): string {
  if (typeof value === "number") return integerText(value);
  const text = shown(value);
  if (/^\d+$/.test(text)) return text;
  if (text === "") throw new StoredProblem("a time is missing");
  return nanosOfDate(text);
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}
