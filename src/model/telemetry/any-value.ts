import { isArray, isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { AttributesView } from "./span-view.ts";
import { unixNanoseconds } from "./unix-nanoseconds.ts";

/**
 * Returns a value as an OTLP/JSON `AnyValue`. An integer outside ±(2⁵³ − 1) becomes a double. Null and undefined become an empty
 * `AnyValue`.
 */
export function anyValue(value: JsonValue | undefined): JsonObject {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (isObject(value)) return { kvlistValue: { values: keyValues(Object.entries(value)) } };
  return {};
}

export function keyValues(entries: readonly (readonly [string, JsonValue | undefined])[]): JsonObject[] {
  return entries.map(([key, value]) => ({ key, value: anyValue(value) }));
}

/** Returns the attributes of a view as OTLP/JSON. If a key occurs twice, it is returned once. */
export function attributesJson(view: AttributesView): JsonObject[] {
  return keyValues([...new Set(view.keys())].map((key) => [key, view.named(key)]));
}

/** Converts Unix milliseconds into nanoseconds as decimal digits, as OTLP/JSON requires. */
export function nanosecondsText(unixMs: number): string {
  return String(unixNanoseconds(unixMs));
}
