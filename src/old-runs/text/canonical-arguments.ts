import { isArray, isObject, type JsonValue } from "../../model/json.ts";

/** A value's JSON with keys in order: equal for equal values. Nothing and an empty object are the same. */
export function canonicalArguments(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "{}";
  if (isArray(value)) return `[${value.map(canonicalArguments).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalArguments(value[key])}`);
  return `{${entries.join(",")}}`;
}
