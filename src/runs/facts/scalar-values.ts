import type { JsonValue } from "../../model/json.ts";
import { isAbsentId, isAbsentName, isPlaceholder } from "../notations/names.ts";
import { parseText } from "../notations/parse-text.ts";
import { textKinds } from "./fields.ts";

const QUOTE = 34;
const digits = /^-?\d+(?:\.\d+)?$/;

/** The text of a field; null for an empty one, a placeholder or a printed absence. Names and ids come without quotes. */
export function plainText(field: number, value: string): string | null {
  if (value === "" || isPlaceholder(value)) return null;
  const kind = textKinds[field];
  if (kind === undefined) return value;
  let plain = value;
  if (value.charCodeAt(0) === QUOTE && value.length >= 2 && value.length < 400) {
    const inner = parseText(value)?.value;
    if (typeof inner === "string") plain = inner;
  }
  return (kind === "id" ? isAbsentId(plain) : isAbsentName(plain)) ? null : plain;
}

export function numberIn(value: JsonValue | undefined): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.length < 25 && digits.test(value) ? Number(value) : null;
}

export function booleanIn(value: JsonValue | undefined): boolean | null {
  if (typeof value === "boolean") return value;
  const lower = typeof value === "string" && value.length <= 5 ? value.toLowerCase() : "";
  return lower === "true" || lower === "false" ? lower === "true" : null;
}
