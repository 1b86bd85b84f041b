import type { Adapter } from "../adapter-type.ts";
import { contentEvidence, onlyClient, ownSpans } from "../producer-type.ts";

/** The spans of Anthropic's own client libraries and API. */
export const anthropic: Adapter = {
  dialect: "anthropic",
  markers: ["anthropic.message.stop_reason", "anthropic.request.id", "anthropic.tool_result.content"],
  scopes: ["com.anthropic.sdk.*", "com.anthropic.claude-platform"],
  names: [
    { pattern: /^anthropic\.(?:custom_)?tool_use\b/, role: "tool" },
    { pattern: /^anthropic\.(?:beta\.)?messages\.(?:create|stream|parse)$/, role: "call" },
    { pattern: /tool_runner|toolRunner/, role: "agent" },
  ],
  fields: {
    longCacheWriteTokens: ["anthropic.usage.cache_creation.ephemeral_1h_input_tokens"],
    serviceTier: ["anthropic.response.service_tier"],
    requestedTier: ["anthropic.request.service_tier"],
    finish: ["anthropic.message.stop_reason"],
    result: ["anthropic.tool_result.content"],
  },
  producers: [
    {
      name: "Anthropic's SDK",
      scopes: ["com.anthropic.sdk.*", "com.anthropic.claude-platform"],
      switches: [
        { gives: contentEvidence, set: "ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content" },
        ...ownSpans,
      ],
      cannot: onlyClient,
      page: "model-clients.md",
    },
  ],
};
