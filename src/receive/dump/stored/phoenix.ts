import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import {
  attribute,
  idOf,
  nanosOfDate,
  shown,
  type StoredSpan,
  StoredProblem,
  textOf,
} from "./stored-span.ts";

/*
 * Reads spans of Phoenix's API and clients: attributes are an object, times are in ISO 8601, and the kind is a separate
 * field.
 */

const statuses: Readonly<Record<string, number>> = { OK: 1, ERROR: 2 };
/** OpenInference's attribute for the span kind. */
const KIND = "openinference.span.kind";

export function isPhoenixSpan({ context, name }: JsonObject): boolean {
  return typeof name === "string" && isObject(context) && typeof context["trace_id"] === "string";
}

/**
 * Converts a Phoenix span.
 * @throws StoredProblem if an id, the start, or the time of an event is missing
 */
export function phoenixSpan(span: JsonObject): StoredSpan {
  const context = isObject(span["context"]) ? span["context"] : {};
  const { parent_id: parent, span_kind: kind, name, status_code: status, status_message: message } = span;
  const attributes = flat(span["attributes"], "");
  if (typeof kind === "string" && kind !== "" && !attributes.some(({ key }) => key === KIND)) {
    attributes.push(attribute(KIND, kind));
  }
  const start = nanosOfDate(textOf(span, "start_time"));
  return {
    traceId: idOf(textOf(context, "trace_id"), 32),
    spanId: idOf(textOf(context, "span_id"), 16),
    parentSpanId: typeof parent === "string" && parent !== "" ? idOf(parent, 16) : "",
    name: typeof name === "string" ? name : "",
    kind: 1,
    start,
    end: typeof span["end_time"] === "string" ? nanosOfDate(span["end_time"]) : start,
    attributes,
    events: (isArray(span["events"]) ? span["events"].filter(isObject) : []).map(eventOf),
    links: [],
    status: {
      code: statuses[shown(status)] ?? 0,
      message: typeof message === "string" ? message : "",
    },
    resource: [],
    scope: {},
  };
}

function eventOf(event: JsonObject): JsonObject {
  const { name, timestamp } = event;
  if (typeof timestamp !== "string") throw new StoredProblem("an event has no timestamp");
  return {
    name: typeof name === "string" ? name : "",
    timeUnixNano: nanosOfDate(timestamp),
    attributes: flat(event["attributes"], ""),
  };
}

/**
 * Flattens nested objects and lists of objects into attribute names joined by dots, as OpenInference does:
 * `"llm.input_messages.0.message.role"`.
 */
function flat(value: JsonValue | undefined, prefix: string): JsonObject[] {
  if (value === undefined || value === null) return [];
  const inner = isObject(value)
    ? Object.entries(value)
    : isArray(value) && value.some(isObject)
      ? value.map((one, at): [string, JsonValue] => [String(at), one])
      : null;
  if (inner === null) return prefix === "" ? [] : [attribute(prefix, value)];
  return inner.flatMap(([key, child]) => flat(child, prefix === "" ? key : `${prefix}.${key}`));
}
