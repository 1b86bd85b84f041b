import { isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { Usage } from "../../../model/run.ts";
import { countAt, isUsageKnown, objectAt, unknownUsage } from "../fields.ts";

/**
 * Writes usage; null if no count is known. An unknown detail, such as cached tokens, becomes 0, because OpenAI always writes all details.
 */
export function writeUsage(usage: Usage): JsonObject | null {
  if (!isUsageKnown(usage)) return null;
  const { input, output, cached, cacheWrite, reasoning } = usage;
  return {
    input_tokens: input ?? 0,
    input_tokens_details: { cached_tokens: cached ?? 0, cache_write_tokens: cacheWrite ?? 0 },
    output_tokens: output ?? 0,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: (input ?? 0) + (output ?? 0),
  };
}

export function readUsage(usage: JsonValue | undefined): Usage {
  if (!isObject(usage)) return unknownUsage;
  const input = objectAt(usage, "input_tokens_details");
  return {
    input: countAt(usage, "input_tokens"),
    output: countAt(usage, "output_tokens"),
    cached: countAt(input, "cached_tokens"),
    cacheWrite: countAt(input, "cache_write_tokens"),
    reasoning: countAt(objectAt(usage, "output_tokens_details"), "reasoning_tokens"),
  };
}
