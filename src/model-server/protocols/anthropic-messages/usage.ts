import { isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { ModelAnswer } from "../../../model/model-exchange.ts";
import type { Usage } from "../../../model/run.ts";
import { countAt, isUsageKnown, objectAt, unknownUsage } from "../fields.ts";

/** Writes usage. Anthropic's input tokens exclude tokens that were read from or written to a cache. */
export function writeUsage({ usage, serviceTier }: Pick<ModelAnswer, "usage" | "serviceTier">): JsonObject {
  const { input, output, cached, cacheWrite, longCacheWrite, reasoning } = usage;
  return {
    input_tokens: Math.max(0, (input ?? 0) - (cached ?? 0) - (cacheWrite ?? 0)),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cached,
    cache_creation:
      typeof longCacheWrite === "number" && cacheWrite !== null
        ? {
            ephemeral_5m_input_tokens: Math.max(0, cacheWrite - longCacheWrite),
            ephemeral_1h_input_tokens: longCacheWrite,
          }
        : null,
    output_tokens: output ?? 0,
    output_tokens_details: reasoning === null ? null : { thinking_tokens: reasoning },
    server_tool_use: null,
    service_tier: serviceTier ?? (isUsageKnown(usage) ? "standard" : null),
  };
}

export function readUsage(usage: JsonValue | undefined): Usage {
  if (!isObject(usage)) return unknownUsage;
  const fresh = countAt(usage, "input_tokens");
  const cached = countAt(usage, "cache_read_input_tokens");
  const cacheWrite = countAt(usage, "cache_creation_input_tokens");
  const longCacheWrite = countAt(objectAt(usage, "cache_creation"), "ephemeral_1h_input_tokens");
  return {
    input: fresh === null ? null : fresh + (cached ?? 0) + (cacheWrite ?? 0),
    output: countAt(usage, "output_tokens"),
    cached,
    cacheWrite,
    ...(longCacheWrite === null ? {} : { longCacheWrite }),
    reasoning: countAt(objectAt(usage, "output_tokens_details"), "thinking_tokens"),
  };
}
