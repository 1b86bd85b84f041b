import { isArray, isObject, type JsonValue } from "../model/json.ts";

const KEY_LIKE = /\b[spr]k-[A-Za-z0-9*._-]{8,}/g;

/** Takes a key, and whatever looks like one, out of text that a server sent. */
export function redact(text: string, key: string | null): string {
  const without = key === null || key.length < 4 ? text : text.replaceAll(key, "[key]");
  return without.replaceAll(KEY_LIKE, "[key]");
}

/** A reply nested deeper than this is none. */
const DEEPEST = 64;

/** The same for every text in a value, names of its fields among them: JSON may write a key with escapes. */
export function redactJson(value: JsonValue, key: string | null, depth = 0): JsonValue {
  if (typeof value === "string") return redact(value, key);
  if (depth > DEEPEST) return null;
  if (isArray(value)) return value.map((item) => redactJson(item, key, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name, key), redactJson(item, key, depth + 1)]),
  );
}
