import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";

/** The first of these keys with a value that is not null; private names of printed objects (`_role`) count as well. */
export function pick(object: JsonObject, ...keys: readonly string[]): JsonValue | undefined {
  for (const key of keys) {
    const value = object[key] ?? object[`_${key}`];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

export function pickText(object: JsonObject, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = object[key] ?? object[`_${key}`];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

export function pickObject(object: JsonObject, ...keys: readonly string[]): JsonObject | undefined {
  for (const key of keys) {
    const value = object[key] ?? object[`_${key}`];
    if (isObject(value)) return value;
  }
  return undefined;
}

/** A name as letters only, lower case: `tool-result`, `toolResult` and `tool_result` are one. */
export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, "").toLowerCase();
}
