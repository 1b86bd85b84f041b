import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { plainName } from "../notations/names.ts";

/** Names are compared without separators. A server's or plugin's name may precede the tool's. */
export function sameTool(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false;
  if (a === b || plainName(a) === plainName(b)) return true;
  return isSuffix(a, b) || isSuffix(b, a);
}

function isSuffix(whole: string, end: string): boolean {
  const at = whole.length - end.length;
  return at > 0 && whole.endsWith(end) && /[-_.:/]/.test(whole[at - 1] ?? "");
}

/** Canonical JSON of a value: equal for equal values. Undefined and an empty object are equal. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "{}";
  if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${entries.join(",")}}`;
}
