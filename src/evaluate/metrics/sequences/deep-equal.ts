import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";

/** Maximum depth of compared values. Deeper values count as different, so that a deep value cannot exhaust the stack. */
const DEEPEST = 200;

/** Whether JSON values are equal: numbers by value (1 equals 1.0), objects in any key order, arrays in order. */
export function deepEqual(a: JsonValue, b: JsonValue, depth = 0): boolean {
  if (a === b) return true;
  if (depth > DEEPEST) return false;
  if (isArray(a)) {
    return (
      isArray(b) && a.length === b.length && a.every((item, at) => deepEqual(item, b[at] ?? null, depth + 1))
    );
  }
  return isObject(a) && isObject(b) && sameEntries(a, b, depth + 1);
}

function sameEntries(a: JsonObject, b: JsonObject, depth: number): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key] ?? null, b[key] ?? null, depth));
}
