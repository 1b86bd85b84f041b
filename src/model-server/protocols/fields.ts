import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Usage } from "../../model/run.ts";

/** The text at a key; null for anything that is no text. */
export function textAt(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === "string" ? value : null;
}

/** The text at a key; null where it is absent or empty. */
export function nameAt(object: JsonObject, key: string): string | null {
  return textAt(object, key) || null;
}

/** The items of the list at a key; none for anything that is no list. */
export function listAt(object: JsonObject, key: string): readonly JsonValue[] {
  const value = object[key];
  return isArray(value) ? value : [];
}

/** The objects of the list at a key. */
export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  return listAt(object, key).filter(isObject);
}

export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

/** A count of tokens: a finite number that is not negative; null for anything else. */
export function countAt(object: JsonObject, key: string): number | null {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** The parameters that a request has: those whose value is there, under OpenTelemetry's names. */
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

/** Stop sequences, which a request may give as one text. */
export function stopSequences(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" ? [value] : value;
}

/** The service tier that an object names, where it is not what everybody gets. */
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
