import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";
import { contentEvidence, onlyClient, ownSpans } from "../producer-type.ts";

/** Provider names that occur in the names of the raw request's attributes, such as `llm.openai.messages`. */
const providers = [
  "openai",
  "azure",
  "azure_ai",
  "anthropic",
  "gemini",
  "vertex_ai",
  "bedrock",
  "mistral",
  "groq",
  "deepseek",
  "cohere",
  "ollama",
  "ollama_chat",
  "openrouter",
  "together_ai",
  "fireworks_ai",
  "xai",
  "perplexity",
  "hosted_vllm",
  "custom_openai",
];

function raw(parameter: string): string[] {
  return providers.map((provider) => `llm.${provider}.${parameter}`);
}

/** LiteLLM's OpenTelemetry callback, in SDK and proxy. */
export const litellm: Adapter = {
  dialect: "litellm",
  markers: ["hidden_params", "litellm.call_id", "gen_ai.cost.total_cost", "litellm.call_type"],
  scopes: ["litellm"],
  names: [
    { pattern: /^litellm_request$/, role: "call" },
    { pattern: /^raw_gen_ai_request$/, role: "call" },
    { pattern: /^Received Proxy Server Request$/, role: "unknown" },
    { pattern: /^guardrail$/, role: "guardrail" },
  ],
  fields: {
    cost: ["gen_ai.cost.total_cost", "litellm.cost.total"],
    requestModel: ["litellm.provider.model"],
    input: [...raw("messages"), ...raw("contents"), ...raw("input")],
    output: [...raw("choices"), ...raw("content"), ...raw("candidates"), ...raw("output")],
    usage: [...raw("usage"), ...raw("usageMetadata"), "metadata.usage_object"],
    responseModel: [...raw("model"), ...raw("modelVersion")],
    responseId: raw("id"),
    guardrail: ["guardrail_name"],
  },
  role,
  producers: [
    {
      name: "LiteLLM",
      scopes: ["litellm"],
      switches: [{ gives: contentEvidence, set: "litellm.turn_off_message_logging = False" }, ...ownSpans],
      cannot: onlyClient,
      page: "litellm.md",
    },
  ],
};

function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  return span.name === "raw_gen_ai_request" ? "call" : role;
}
