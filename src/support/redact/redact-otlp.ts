import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { labelOf, type Redactor, valueKeys, withheld } from "./redactor.ts";

/** OTLP fields that contain ids, times and counts, and are not redacted. Texts in all other fields are redacted. */
const fixed: ReadonlySet<string> = new Set(
  [
    "traceId trace_id spanId span_id parentSpanId parent_span_id",
    "timeUnixNano time_unix_nano startTimeUnixNano start_time_unix_nano endTimeUnixNano end_time_unix_nano",
    "observedTimeUnixNano observed_time_unix_nano",
    "kind code flags severityNumber severity_number",
    "droppedAttributesCount dropped_attributes_count droppedEventsCount dropped_events_count",
    "droppedLinksCount dropped_links_count",
  ].flatMap((names) => names.split(" ")),
);

/**
 * Redacts the texts of an OTLP/JSON message: attributes, events, bodies, links, scopes and resources. The structure of the message and its
 * ids do not change.
 */
export function redactOtlp(message: JsonValue, redactor: Redactor): JsonValue {
  if (typeof message === "string") return redactor.text(message);
  if (isArray(message)) return message.map((one) => redactOtlp(one, redactor));
  if (!isObject(message)) return message;
  const { key } = message;
  if (typeof key === "string" && message["value"] !== undefined) return attribute(key, message, redactor);
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, field(name, value, redactor)]),
  );
}

function attribute(key: string, { value, ...rest }: JsonObject, redactor: Redactor): JsonObject {
  const clean = redactor.hides(key, plainValue(value ?? null))
    ? { stringValue: withheld }
    : redactOtlp(value ?? null, redactor);
  return { ...rest, key: redactor.text(key), value: clean };
}

function field(name: string, value: JsonValue, redactor: Redactor): JsonValue {
  if (typeof value !== "object" && fixed.has(name)) return value;
  // Removes bytes, which may contain any text and are never displayed.
  if (name === "bytesValue" || name === "bytes_value") return "";
  if (name === "intValue" || name === "int_value") return integer(value, redactor);
  if (isObject(value) && isArray(value["values"])) {
    if (name === "arrayValue" || name === "array_value")
      return { ...value, values: listItems(value["values"], redactor) };
    if (name === "kvlistValue" || name === "kvlist_value")
      return { ...value, values: mapEntries(value["values"], redactor) };
  }
  return redactOtlp(value, redactor);
}

function listItems(items: readonly JsonValue[], redactor: Redactor): JsonValue[] {
  const plain = items.map((item) => plainValue(item, 0));
  return items.map((item, at) =>
    redactor.hidesItem(plain[at - 1], plain[at] ?? null)
      ? { stringValue: withheld }
      : redactOtlp(item, redactor),
  );
}

/** In a map with a name and a value, such as `{"name": "password", "value": "…"}`, the name decides whether the value is removed. */
function mapEntries(pairs: readonly JsonValue[], redactor: Redactor): JsonValue[] {
  const plain = Object.fromEntries(pairs.map((pair) => entry(pair, 1)));
  const label = labelOf(plain);
  return pairs.map((pair) => {
    const key = isObject(pair) ? pair["key"] : undefined;
    const isHidden =
      label !== null &&
      typeof key === "string" &&
      valueKeys.includes(key) &&
      redactor.hides(label, plain[key] ?? null);
    return isObject(pair) && isHidden
      ? { ...pair, value: { stringValue: withheld } }
      : redactOtlp(pair, redactor);
  });
}

/** Returns 0 for an integer that is sensitive data, such as a card number. Other integers are unchanged. */
function integer(value: JsonValue, redactor: Redactor): JsonValue {
  if (typeof value !== "string" && typeof value !== "number") return value;
  const text = String(value);
  return redactor.text(text) === text ? value : 0;
}

/**
 * Converts an OTLP value into a JSON value, so that `Redactor.hides` can decide about it. Lists and maps below the given number of levels
 * are null: the decision does not depend on them, and converting them again at each level would take quadratic time.
 */
function plainValue(value: JsonValue, levels = 1): JsonValue {
  if (!isObject(value)) return value;
  const integerText = value["intValue"] ?? value["int_value"];
  if (integerText !== undefined) return Number(integerText);
  const items = itemsOf(value["arrayValue"] ?? value["array_value"]);
  if (items !== undefined) return levels === 0 ? null : items.map((item) => plainValue(item, levels - 1));
  const pairs = itemsOf(value["kvlistValue"] ?? value["kvlist_value"]);
  if (pairs !== undefined)
    return levels === 0 ? null : Object.fromEntries(pairs.map((pair) => entry(pair, levels - 1)));
  return value["stringValue"] ?? value["string_value"] ?? value["boolValue"] ?? value["doubleValue"] ?? null;
}

function itemsOf(list: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (!isObject(list)) return undefined;
  return isArray(list["values"]) ? list["values"] : [];
}

function entry(pair: JsonValue, levels: number): [string, JsonValue] {
  const { key, value } = isObject(pair) ? pair : {};
  return [typeof key === "string" ? key : "", plainValue(value ?? null, levels)];
}
