import { isArray, isObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { type Redactor, withheld } from "./redactor.ts";

/** Fields of OTLP messages that hold text somebody wrote; ids, times and numbers have other names. */
const textual: ReadonlySet<string> = new Set([
  "stringValue",
  "string_value",
  "name",
  "message",
  "severityText",
  "eventName",
  "event_name",
  "traceState",
  "trace_state",
  "schemaUrl",
]);

/** An OTLP/JSON message with attributes, events, bodies, links and resources redacted; its form and its ids stay. */
export function redactOtlp(message: JsonValue, redactor: Redactor): JsonValue {
  if (isArray(message)) return message.map((one) => redactOtlp(one, redactor));
  if (!isObject(message)) return message;
  const { key } = message;
  if (typeof key === "string" && message["value"] !== undefined) return attribute(key, message, redactor);
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, field(name, value, redactor)]),
  );
}

function attribute(key: string, { value, ...rest }: JsonObject, redactor: Redactor): JsonObject {
  const text = isObject(value ?? null) ? (value as JsonObject)["stringValue"] : undefined;
  const clean = redactor.hides(key, text ?? null)
    ? { stringValue: withheld }
    : redactOtlp(value ?? null, redactor);
  return { ...rest, key: redactor.text(key), value: clean };
}

function field(name: string, value: JsonValue, redactor: Redactor): JsonValue {
  if (typeof value === "string" && textual.has(name)) return redactor.text(value);
  // Bytes may hold any text; nobody reads them.
  if (name === "bytesValue" || name === "bytes_value") return "";
  if (name === "intValue" || name === "int_value") return integer(value, redactor);
  return redactOtlp(value, redactor);
}

/** A card's number may have been sent as a number: then nothing is left of it. */
function integer(value: JsonValue, redactor: Redactor): JsonValue {
  if (typeof value !== "string" && typeof value !== "number") return value;
  const text = String(value);
  return redactor.text(text) === text ? value : 0;
}
