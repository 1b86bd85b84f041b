import type { JsonObject, JsonValue } from "../../../model/json.ts";

/** Returns the value at a key, in camel case or snake case: the API accepts both. */
export function either(object: JsonObject, key: string): JsonValue | undefined {
  return object[key] ?? object[key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
