import { isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { Usage } from "../../../model/run.ts";
import { countAt, isUsageKnown, objectAt, parametersOf, unknownUsage } from "../fields.ts";

/** Writes usage; null if no count is known. Unknown details are omitted. */
export function writeUsage(usage: Usage): JsonObject | null {
  if (!isUsageKnown(usage)) return null;
  const { input, output, cached, cacheWrite, reasoning } = usage;
  const prompt = parametersOf({ cached_tokens: cached, cache_write_tokens: cacheWrite });
  const completion = parametersOf({ reasoning_tokens: reasoning });
  return {
    prompt_tokens: input ?? 0,
    completion_tokens: output ?? 0,
    total_tokens: (input ?? 0) + (output ?? 0),
    ...(Object.keys(prompt).length > 0 ? { prompt_tokens_details: prompt } : {}),
    ...(Object.keys(completion).length > 0 ? { completion_tokens_details: completion } : {}),
  };
}

export function readUsage(usage: JsonValue | undefined): Usage {
  if (!isObject(usage)) return unknownUsage;
  const prompt = objectAt(usage, "prompt_tokens_details");
  return {
    input: countAt(usage, "prompt_tokens"),
    output: countAt(usage, "completion_tokens"),
    cached: countAt(prompt, "cached_tokens"),
    cacheWrite: countAt(prompt, "cache_write_tokens"),
    reasoning: countAt(objectAt(usage, "completion_tokens_details"), "reasoning_tokens"),
  };
}
