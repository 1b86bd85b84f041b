import { isArray, isObject, type JsonValue } from "../model/json.ts";

const KEY_LIKE = /\b[spr]k-[A-Za-z0-9*._-]{8,}/g;

/** Returns a server's text with `[key]` in place of the key and anything that looks like a key. */
export function redact(text: string, key: string | null): string {
  const without = key === null || key.length < 4 ? text : text.replaceAll(key, "[key]");
  return without.replaceAll(KEY_LIKE, "[key]");
}

/** Maximum depth of a redacted value. Deeper values become null, except texts. */
const DEEPEST = 64;

/** Redacts all texts in a value, also field names. Parsed values are redacted because JSON text can contain a key with escapes. */
export function redactJson(value: JsonValue, key: string | null, depth = 0): JsonValue {
  if (typeof value === "string") return redact(value, key);
  if (depth > DEEPEST) return null;
  if (isArray(value)) return value.map((item) => redactJson(item, key, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name, key), redactJson(item, key, depth + 1)]),
  );
}
