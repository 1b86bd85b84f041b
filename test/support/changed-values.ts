import { type JsonValue, isArray, isObject, parseJsonText } from "../../src/model/json.ts";

/**
 * The value with each occurrence of `text` replaced: in strings, in JSON within strings, and in printed values. If `by` is undefined, keys,
 * items and attributes that equal `text` are removed, and other strings are unchanged.
 */
export function withText(value: JsonValue, text: string, by: string | undefined): JsonValue {
  return changed(value, (given) => {
    if (given === text) return by;
    return by === undefined ? given : given.replaceAll(text, by);
  });
}

type Change = (text: string) => string | undefined;

function changed(value: JsonValue, change: Change): JsonValue {
  return changedOrGone(value, change) ?? null;
}

function changedOrGone(value: JsonValue, change: Change): JsonValue | undefined {
  if (typeof value === "string") return changedText(value, change);
  if (isArray(value)) return value.flatMap((item) => changedOrGone(item, change) ?? []);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    const after = changedOrGone(inner, change);
    return after === undefined ? [] : [[key, after]];
  });
  return Object.fromEntries(entries);
}

function changedText(text: string, change: Change): string | undefined {
  const parsed = /^\s*[[{"]/.test(text) ? parseJsonText(text).value : undefined;
  if (parsed === undefined) return change(text);
  const before = JSON.stringify(parsed);
  const after = JSON.stringify(changed(parsed, change));
  return before === after ? text : after;
}
