import type { JsonObject, JsonValue } from "../../../model/json.ts";

/** The value at a key in camel case, or at the same key in snake case: the API takes both. */
export function either(object: JsonObject, key: string): JsonValue | undefined {
  return object[key] ?? object[key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
