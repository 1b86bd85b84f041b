import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";
import { messageOf } from "../../../support/structures/error-message.ts";
import { sha256 } from "../../../support/structures/sha256.ts";
import { groupBy } from "../../../support/structures/group-by.ts";

/** A span of another store before its conversion to OTLP. Times are nanoseconds as decimal digits. */
export interface StoredSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** Span kind as an OTLP number; 0 if unknown. */
  readonly kind: number;
  readonly start: string;
  readonly end: string;
  readonly attributes: readonly JsonObject[];
  readonly events: readonly JsonObject[];
  readonly links: readonly JsonObject[];
  readonly status: JsonObject;
  readonly resource: readonly JsonObject[];
  readonly scope: JsonObject;
}

/** A span of another store that cannot be converted. The message contains the reason. */
export class StoredProblem extends Error {}

/** Returns an OTLP attribute for a value of any type. */
export function attribute(key: string, value: JsonValue): JsonObject {
  return { key, value: anyValue(value) };
}

/** Returns the attributes of an object, without null values. */
export function attributesOf(values: JsonObject): JsonObject[] {
  return Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [attribute(key, value)]));
}

function anyValue(value: JsonValue): JsonObject {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : doubleValue(value);
  }
  if (isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (isObject(value)) return { kvlistValue: { values: attributesOf(value) } };
  return {};
}

/** Encodes a double in OTLP/JSON. JSON has no infinity and NaN, so OTLP/JSON writes their names as text. */
export function doubleValue(value: number): JsonObject {
  return { doubleValue: Number.isFinite(value) ? value : String(value) };
}

/** Returns the rounded number as decimal digits. Infinity and NaN become text, so that the OTLP decoder rejects the span. */
export function integerText(value: number): string {
  return Number.isFinite(value) ? String(BigInt(Math.round(value))) : String(value);
}

/** Returns the message for a record that cannot be converted. The conversion of other records continues. */
export function problemOf(error: unknown): string {
  return error instanceof StoredProblem ? error.message : `the span cannot be read: ${messageOf(error)}`;
}

/** Returns an id with this number of hex digits. Pads a shorter id with zeros, removes the hyphens of a UUID, and hashes any other text. */
export function idOf(text: string, digits: 16 | 32): string {
  const bare = text.toLowerCase().replaceAll("-", "");
  if (/^[0-9a-f]+$/.test(bare) && bare.length <= digits) return bare.padStart(digits, "0");
  return sha256(text).slice(0, digits);
}

const DATE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * Converts an ISO 8601 time into nanoseconds, with all its digits. A time without a time zone is UTC.
 * @throws StoredProblem if the text is not a time
 */
export function nanosOfDate(text: string): string {
  const [, day, time, fraction = "", zone = "Z"] = DATE.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time}${zone}`);
  if (day === undefined || Number.isNaN(ms))
    throw new StoredProblem(`${text.slice(0, 40)} is not a timestamp`);
  return String(BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, "0")));
}

/**
 * Returns the text of a field.
 * @throws StoredProblem if the field is missing
 */
export function textOf(record: JsonObject, key: string): string {
  const value = record[key];
  if (typeof value === "string" && value !== "") return value;
  throw new StoredProblem(`${key} is missing`);
}

/** Matches names of attributes whose values stay text even if they look like numbers. */
const textual = /(?:^|[._])(?:id|content|input|output|result|text|value)$/;

/** Restores the types of values that a store saves as text: numbers, booleans, and lists without objects. */
export function withTypes(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (
        typeof value !== "string" ||
        !/^(?:-?\d+(?:\.\d+)?|true|false|\[.*\])$/s.test(value) ||
        textual.test(key)
      )
        return [key, value];
      const parsed = parseJson(value);
      const isPlain = parsed !== undefined && !(isArray(parsed) && parsed.some(isObject));
      // If JavaScript writes the number in another form (0.941 for 0.9410), the value was sent as text and stays text.
      const isWritten = typeof parsed !== "number" || String(parsed) === value;
      return [key, isPlain && isWritten ? parsed : value];
    }),
  );
}

/** Returns text, numbers and booleans as text; empty text for any other value. */
export function shown(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Returns OTLP/JSON documents, one for each trace, in the order in which the traces first occur. */
export function* otlpDocuments(spans: readonly StoredSpan[]): Generator<JsonObject> {
  for (const own of groupBy(spans, ({ traceId }) => traceId).values())
    yield { resourceSpans: containers(own) };
}

function containers(spans: readonly StoredSpan[]): JsonObject[] {
  const groups = groupBy(spans, ({ resource, scope }) => JSON.stringify([resource, scope]));
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const scopeSpans = [{ scope: first.scope, spans: own.map(otlpSpan) }];
    return [{ resource: { attributes: first.resource }, scopeSpans }];
  });
}

function otlpSpan(span: StoredSpan): JsonObject {
  const { traceId, spanId, parentSpanId, name, kind, attributes, events, links, status } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === "" ? {} : { parentSpanId }),
    name,
    kind,
    startTimeUnixNano: span.start,
    endTimeUnixNano: span.end,
    attributes,
    events,
    links,
    status,
  };
}
