import { isArray, isObject, type JsonValue } from "../../model/json.ts";

/** Returns a value of the same shape with other content: other numbers, inverted booleans, other words. */
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

/** Replaces each digit of a text. A text without digits becomes "nothing of the kind was found". */
function falsifiedText(text: string): string {
  return /\d/.test(text) ? withOtherDigits(text) : "nothing of the kind was found";
}

/** Replaces each digit d by (d + 3) mod 10. */
export function withOtherDigits(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String((Number(digit) + 3) % 10));
}
