import { type JsonValue, isArray, isObject, parseJsonText } from "../../src/model/json.ts";

/**
 * The value with each occurrence of `text` replaced: in strings, in JSON within strings, and in printed values. If `by` is undefined, keys,
 * items and attributes that equal `text` are removed, and other strings are unchanged.
 */
export function withText(value: JsonValue, text: string, by: string | undefined): JsonValue {
  // Escapes leave letters of ASCII as they are, so that a string without these needs not be read as JSON.
  const [letters = ""] = /[a-z]+/i.exec(text) ?? [];
  return changed(
    value,
    (given) => {
      if (given === text) return by;
      return by === undefined ? given : given.replaceAll(text, by);
    },
    letters,
  );
}

type Change = (text: string) => string | undefined;

function changed(value: JsonValue, change: Change, letters: string): JsonValue {
  return changedOrGone(value, change, letters) ?? null;
}

function changedOrGone(value: JsonValue, change: Change, letters: string): JsonValue | undefined {
  if (typeof value === "string") return value.includes(letters) ? changedText(value, change, letters) : value;
  if (isArray(value)) return value.flatMap((item) => changedOrGone(item, change, letters) ?? []);
  if (!isObject(value)) return value;
  const entries: [string, JsonValue][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const after = changedOrGone(inner, change, letters);
    if (after !== undefined) entries.push([key, after]);
  }
  return Object.fromEntries(entries);
}

function changedText(text: string, change: Change, letters: string): string | undefined {
  const parsed = /^\s*[[{"]/.test(text) ? parseJsonText(text).value : undefined;
  if (parsed === undefined) return change(text);
  const before = JSON.stringify(parsed);
  const after = JSON.stringify(changed(parsed, change, letters));
  return before === after ? text : after;
}
