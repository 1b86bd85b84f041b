import type { JsonObject } from "../../../model/json.ts";

/** Returns an object schema that structured output of every provider accepts: all keys are required, and no others are allowed. */
export function objectSchema(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

export const textSchema = (description: string): JsonObject => ({ type: "string", description });
export const listSchema = (items: JsonObject): JsonObject => ({ type: "array", items });
export const choiceSchema = (values: readonly (string | number)[], description: string): JsonObject => ({
  type: typeof values[0] === "number" ? "integer" : "string",
  enum: values,
  description,
});
/** Returns the schema key for the judge's confidence; without `isWanted`, no key. */
export const confidenceSchema = (isWanted: boolean): Readonly<Record<string, JsonObject>> =>
  isWanted ? { confidence: { type: "number", description: "how sure you are, 0 to 1" } } : {};
