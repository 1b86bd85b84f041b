import { remembered } from "../../support/structures/bounded-memo.ts";
import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { isAbsentId } from "../text/absent-id.ts";

/** The first of these keys with a value that is not null. */
export function pick(object: JsonObject, ...keys: readonly string[]): JsonValue | undefined {
  for (const key of keys) {
    const value = object[key];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The first of these keys with a text that is not empty. */
export function pickText(object: JsonObject, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The first of these keys with an object. */
export function pickObject(object: JsonObject, ...keys: readonly string[]): JsonObject | undefined {
  for (const key of keys) {
    const value = object[key];
    if (isObject(value)) return value;
  }
  return undefined;
}

/** `value` where it is a text that is not empty. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** `value` where it is an id: a text that does not stand for an absent one. */
export function idOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && !isAbsentId(value) ? value : undefined;
}

/** `value` where it is an object. */
export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/**
 * An object whose fields can be read by their public names: Python objects printed with private fields (`_role`, `_content`) get a copy
 * with the underscore removed, where no public field of that name has a value.
 */
export function withPublicNames(object: JsonObject): JsonObject {
  for (const key in object) if (key.charCodeAt(0) === 95) return publicCopy(object);
  return object;
}

function publicCopy(object: JsonObject): JsonObject {
  const copy: Record<string, JsonValue> = { ...object };
  for (const [key, value] of Object.entries(object)) {
    const name = key.slice(1);
    if (key.charCodeAt(0) === 95 && (copy[name] === undefined || copy[name] === null) && name !== "_proto__")
      copy[name] = value;
  }
  return copy;
}

/** A name as letters and digits only, lower case: `tool-result`, `toolResult` and `tool_result` are equal. */
export const plainName = remembered(plain);

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, "").toLowerCase();
}
