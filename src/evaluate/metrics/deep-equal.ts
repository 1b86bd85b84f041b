import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";

/** Equality of JSON values: numbers by value (1 and 1.0 are one), objects without regard to key order, arrays in order. */
export function deepEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (isArray(a))
    return isArray(b) && a.length === b.length && a.every((item, at) => deepEqual(item, b[at] ?? null));
  return isObject(a) && isObject(b) && sameEntries(a, b);
}

function sameEntries(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key] ?? null, b[key] ?? null));
}
