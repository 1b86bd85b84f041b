import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Usage } from "../../model/run.ts";

/** Returns the text at a key; null if the value is not a text. */
export function textAt(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === "string" ? value : null;
}

/** Returns the text at a key; null if it is missing or empty. */
export function nameAt(object: JsonObject, key: string): string | null {
  return textAt(object, key) || null;
}

/** Returns the items of the list at a key; empty if the value is not a list. */
export function listAt(object: JsonObject, key: string): readonly JsonValue[] {
  const value = object[key];
  return isArray(value) ? value : [];
}

/** Returns the objects in the list at a key. */
export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  return listAt(object, key).filter(isObject);
}

export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

/** Returns the token count at a key, a finite number from 0; null for other values. */
export function countAt(object: JsonObject, key: string): number | null {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Returns the parameters that the request has, without undefined and null values. */
export function parametersOf(
  found: Readonly<Record<string, JsonValue | undefined>>,
): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, JsonValue] => {
      const [, value] = entry;
      return value !== undefined && value !== null;
    }),
  );
}

/** Returns the stop sequences as a list; a request may contain a single text. */
export function stopSequences(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" ? [value] : value;
}

/** Returns the service tier; an empty object for the default tier or if there is none. */
export function tierIn(object: JsonObject): { readonly serviceTier?: string } {
  const tier = nameAt(object, "service_tier");
  return tier === null || /^(?:auto|default|standard|standard_only)$/.test(tier) ? {} : { serviceTier: tier };
}

export const unknownUsage: Usage = {
  input: null,
  output: null,
  cached: null,
  cacheWrite: null,
  reasoning: null,
};

export function isUsageKnown({ input, output }: Usage): boolean {
  return input !== null || output !== null;
}
