import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";
import { attribute, attributesOf, idOf, integerText, shown, type StoredSpan, textOf } from "./stored-span.ts";

/*
 * Reads spans of MLflow's store. MLflow stores attribute values as JSON, except texts that already were JSON. A few resource attributes are
 * stored as tags of the trace. Span kinds and scopes are not stored.
 */

const statuses: Readonly<Record<string, number>> = {
  STATUS_CODE_OK: 1,
  STATUS_CODE_ERROR: 2,
  OK: 1,
  ERROR: 2,
};
const OWN = /^mlflow\./;
export function isMlflowSpan(value: JsonObject): boolean {
  return (
    isObject(value["attributes"]) &&
    typeof value["span_id"] === "string" &&
    value["start_time_unix_nano"] !== undefined
  );
}

/**
 * Converts an MLflow span.
 * @param trace the trace that contains the span
 * @throws StoredProblem if an id is missing
 */
export function mlflowSpan(span: JsonObject, trace: JsonObject): StoredSpan {
  const { name, parent_span_id: parent, status, events } = span;
  const values = isObject(span["attributes"]) ? span["attributes"] : {};
  const isOthers = isOfOthers(trace, span);
  const start = nanosOf(span["start_time_unix_nano"]);
  const { code, message } = isObject(status) ? status : { code: status ?? null, message: "" };
  return {
    traceId: idOf(hexOf(textOf(span, "trace_id")), 32),
    spanId: idOf(hexOf(textOf(span, "span_id")), 16),
    parentSpanId: typeof parent === "string" && parent !== "" ? idOf(hexOf(parent), 16) : "",
    name: shown(name),
    kind: 0,
    start,
    end: nanosOf(span["end_time_unix_nano"]) || start,
    attributes: Object.entries(values)
      .filter(([key]) => !(isOthers && OWN.test(key)))
      .map(([key, value]) => attribute(key, OWN.test(key) ? value : decoded(value))),
    events: (isArray(events) ? events.filter(isObject) : []).map(eventOf),
    links: [],
    status: { code: statuses[shown(code)] ?? 0, message: shown(message) },
    resource: attributesOf(
      Object.fromEntries(Object.entries(tagsOf(trace)).filter(([key]) => !OWN.test(key))),
    ),
    scope: isOthers ? {} : { name: "mlflow" },
  };
}

/**
 * Whether the trace was written by an SDK other than MLflow's. MLflow's server adds attributes with MLflow's names to such traces, which
 * repeat existing values. A trace of MLflow's own SDK has a schema version, or only attributes whose names are MLflow's or contain no dot.
 */
function isOfOthers(trace: JsonObject, span: JsonObject): boolean {
  const { trace_metadata: metadata } = infoOf(trace);
  if (isObject(metadata) && metadata["mlflow.trace_schema.version"] !== undefined) return false;
  const data = isObject(trace["data"]) ? trace["data"] : trace;
  const spans = isArray(data["spans"]) ? data["spans"].filter(isObject) : [span];
  return spans.some((one) =>
    Object.keys(isObject(one["attributes"]) ? one["attributes"] : {}).some(
      (key) => key.includes(".") && !OWN.test(key),
    ),
  );
}

/**
 * Decodes an attribute value. If a text is a JSON object, or a list that contains objects or lists, it was sent as text and is not parsed.
 */
function decoded(value: JsonValue): JsonValue {
  if (typeof value !== "string") return value;
  const parsed = parseJson(value);
  if (parsed === undefined || isObject(parsed)) return value;
  return isArray(parsed) && parsed.some((one) => isObject(one) || isArray(one)) ? value : (parsed ?? "");
}

function eventOf(event: JsonObject): JsonObject {
  const values = isObject(event["attributes"]) ? event["attributes"] : {};
  return {
    name: shown(event["name"]),
    timeUnixNano: nanosOf(event["time_unix_nano"] ?? event["timestamp"]),
    attributes: Object.entries(values).map(([key, value]) => attribute(key, decoded(value))),
  };
}

function tagsOf(trace: JsonObject): JsonObject {
  const { tags } = infoOf(trace);
  return isObject(tags) ? tags : {};
}

function infoOf(trace: JsonObject): JsonObject {
  const info = trace["trace_info"] ?? trace["info"];
  return isObject(info) ? info : {};
}

function nanosOf(value: JsonValue | undefined): string {
  return typeof value === "number" ? integerText(value) : shown(value);
}

/** Returns an id as hex digits. MLflow writes ids in base64; older files use hex with the prefix 0x. */
function hexOf(id: string): string {
  if (/^0x/i.test(id)) return id.slice(2);
  const bytes =
    /^[A-Za-z0-9+/]+=*$/.test(id) && !/^[0-9a-f]+$/i.test(id) ? Buffer.from(id, "base64") : undefined;
  return bytes?.length === 8 || bytes?.length === 16 ? bytes.toString("hex") : id;
}
