import { type JsonValue, parseJson } from "../../model/json.ts";
import { readRepr } from "../text/python-repr.ts";
import { salvageJson } from "../text/salvage-json.ts";

/** Parses JSON text; `undefined` when it is none. */
export type ParseJson = (text: string) => JsonValue | undefined;

/**
 * The value that a text holds: JSON, JSON that was cut off, or what Python prints of data. `undefined` for any other text.
 */
export function valueIn(text: string, parse: ParseJson = parseJson): JsonValue | undefined {
  const start = text.trimStart();
  const first = start[0];
  if (first === "{" || first === "[" || first === '"') {
    // A failed parse costs as much as reading kilobytes: what cannot be JSON is not tried.
    const json = looksLikeJson(start) ? (parse(text) ?? salvageJson(start)) : undefined;
    return json ?? readRepr(start);
  }
  return readRepr(start);
}

/** Whether a text begins like one that holds a value, for which `unfold` may give something else. */
export function mayHoldValue(text: string): boolean {
  return beginsLikeValue.test(text);
}

const beginsLikeValue = /^\s*(?:["[{(<]|[A-Za-z_][\w.]*\(|[a-z_]\w*=['"[{(<\dNTF])/;

/** The value behind texts within texts; a text that holds none stays what it is. */
export function unfold(value: JsonValue, depth = 3): JsonValue {
  if (typeof value !== "string" || depth === 0) return value;
  const inner = valueIn(value);
  return inner === undefined ? value : unfold(inner, depth - 1);
}

const beginsJson = /^(?:\[\s*(?:[[{"]|-?\d|true|false|null|\])|\{\s*(?:"|\})|"(?!""))/;

function looksLikeJson(text: string): boolean {
  return beginsJson.test(text);
}
