import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";

/*
 * Functions that read fields of untrusted JSON objects.
 * A field with an unexpected type is treated as absent.
 */

export function textAt(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === "string" ? value : null;
}

export function numberAt(object: JsonObject, key: string): number | null {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function booleanAt(object: JsonObject, key: string): boolean | null {
  const value = object[key];
  return typeof value === "boolean" ? value : null;
}

export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key];
  return isArray(value) ? value.filter(isObject) : [];
}

export function textsAt(object: JsonObject, key: string): readonly string[] {
  const value = object[key];
  return isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** Returns a captured value; undefined if the value is absent or null. */
export function captured(value: JsonValue | undefined): JsonValue | undefined {
  return value ?? undefined;
}
