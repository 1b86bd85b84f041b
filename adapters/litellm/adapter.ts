import type { Adapter, Role, SpanFacts } from "../../src/adapt/adapter.ts";

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
    input: ["llm.openai.messages"],
    output: ["llm.openai.choices"],
    usage: ["llm.openai.usage", "metadata.usage_object"],
    responseId: ["llm.openai.id"],
    guardrail: ["guardrail_name"],
  },
  role,
};

function role({ span }: SpanFacts, role: Role): Role {
  return span.name === "raw_gen_ai_request" ? "call" : role;
}
