import { isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";

/** Parses the arguments of a call. A text that is not JSON is returned unchanged; an empty text counts as no arguments. */
export function readArguments(text: string | null): JsonValue | undefined {
  if (text === null) return undefined;
  if (text.trim() === "") return {};
  return parseJson(text) ?? text;
}

/** Returns the arguments of a call as JSON. A text that is not JSON is returned unchanged, because the model wrote it so. */
export function writeArguments(args: JsonValue | undefined): string {
  if (args === undefined) return "{}";
  return typeof args === "string" && parseJson(args) === undefined ? args : JSON.stringify(args);
}

/** Returns the arguments as an object, for API formats that require an object. Parses a text with a JSON object. */
export function argumentsObject(args: JsonValue | undefined): JsonObject | string {
  const value = typeof args === "string" ? (parseJson(args) ?? args) : args;
  if (value === undefined || value === null) return {};
  return isObject(value) ? value : typeof value === "string" ? value : JSON.stringify(value);
}
