import { isArray, isObject, type JsonValue } from "../../model/json.ts";

/** A value of the same shape with other contents: different numbers and digits, inverted booleans, other words. */
export function falsified(value: JsonValue): JsonValue {
  if (typeof value === "number") return value * 3 + 1037;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return falsifiedText(value);
  if (isArray(value)) return value.map(falsified);
  if (!isObject(value)) return value;
  const changed: Record<string, JsonValue> = Object.create(null) as Record<string, JsonValue>;
  for (const [key, item] of Object.entries(value)) changed[key] = falsified(item);
  return changed;
}

/** Every digit becomes another; a text without any is taken back. */
function falsifiedText(text: string): string {
  return /\d/.test(text) ? withOtherDigits(text) : "nothing of the kind was found";
}

/** 7 → 0, 0 → 3: no digit stays, and first digits do not become zero unless they were seven. */
export function withOtherDigits(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String((Number(digit) + 3) % 10));
}
