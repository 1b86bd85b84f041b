import { z } from "zod";
import type { JsonObject, JsonValue } from "../../model/json.ts";

/** Schema of a text that is not blank. */
export const writtenText = z.string().regex(/\S/, "text that is not blank");

/**
 * Schema of any JSON value, which is returned unchanged. `z.json()` would return a copy without the keys
 * named `__proto__`.
 */
export const jsonValue: z.ZodType<JsonValue> = z
  .unknown()
  .refine(isJson, "expected JSON") as z.ZodType<JsonValue>;

/**
 * Schema of a JSON object, which is returned unchanged. `z.record()` would return a copy without the key
 * `__proto__`.
 */
export const jsonObject: z.ZodType<JsonObject> = z
  .unknown()
  .refine(
    (value) => isJson(value) && typeof value === "object" && value !== null && !Array.isArray(value),
    "expected an object",
  )
  .meta({ type: "object", additionalProperties: {} }) as z.ZodType<JsonObject>;

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === null || prototype === Object.prototype;
  return isPlain && Object.values(value).every(isJson);
}
