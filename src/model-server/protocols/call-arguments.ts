import { isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";

/** Arguments of a call from their JSON. A text that is no JSON stays as it is; an empty one stands for no arguments. */
export function readArguments(text: string | null): JsonValue | undefined {
  if (text === null) return undefined;
  if (text.trim() === "") return {};
  return parseJson(text) ?? text;
}

/** The JSON of a call's arguments. A text that is no JSON is sent as it is: so a model's broken arguments are. */
export function writeArguments(args: JsonValue | undefined): string {
  if (args === undefined) return "{}";
  return typeof args === "string" && parseJson(args) === undefined ? args : JSON.stringify(args);
}

/** Arguments where the notation has an object: a text that is JSON of one counts as that. */
export function argumentsObject(args: JsonValue | undefined): JsonObject | string {
  const value = typeof args === "string" ? (parseJson(args) ?? args) : args;
  if (value === undefined || value === null) return {};
  return isObject(value) ? value : typeof value === "string" ? value : JSON.stringify(value);
}
