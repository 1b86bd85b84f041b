import type { Adapter, JsonValue, SpanRole, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { rolesOf, words } from "../tables.ts";

/** LangSmith's export to OpenTelemetry, Python and JavaScript. */
export const langsmith: Adapter = {
  dialect: "langsmith",
  markers: ["langsmith.span.kind", "langsmith.trace.name", "langsmith.trace.session_name"],
  scopes: ["langsmith"],
  roles: {
    "langsmith.span.kind": rolesOf({
      call: "llm",
      step: "chain prompt parser",
      tool: "tool",
      retriever: "retriever",
      embedding: "embedding",
    }),
  },
  fields: {
    agent: ["langsmith.metadata.lc_agent_name", "langsmith.metadata.agent_name", "langsmith.metadata.agent"],
    conversation: words(`
      langsmith.metadata.session_id langsmith.metadata.thread_id
      langsmith.metadata.conversation_id
    `),
    requestModel: ["langsmith.metadata.ls_model_name"],
    graphPath: ["langsmith.metadata.langgraph_checkpoint_ns", "langsmith.metadata.checkpoint_ns"],
    usage: ["langsmith.usage_metadata", "langsmith.metadata.usage_metadata"],
    input: ["gen_ai.prompt"],
    output: ["gen_ai.completion"],
  },
  role,
  derive: { cachedTokens: detail("input", "cache_read"), reasoningTokens: detail("output", "reasoning") },
  producers: [
    {
      name: "LangSmith's OpenTelemetry mode",
      scopes: ["langsmith"],
      switches: [
        {
          gives: contentEvidence,
          bySide: true,
          set: "unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS",
        },
        { gives: ["session_ids"], set: "metadata: session_id or thread_id" },
      ],
      page: "langsmith.md",
    },
  ],
};

/**
 * Gives the role `agent` to spans of the kind `chain` that are agents. The Agents SDK's agent spans have tools; ADK's agent spans are those
 * that are not the session's span. LangChain's agent spans have the agent's name from the metadata as span name, which `src/runs`
 * recognises.
 */
function role(facts: SpanFacts, role: SpanRole): SpanRole {
  if (role !== "step") return role;
  const framework = facts.span.named("langsmith.metadata.ls_integration");
  const isOfSdk =
    (framework === "openai-agents-sdk" && facts.has("toolDefinitions")) ||
    (framework === "google-adk" && facts.span.name !== "google_adk.session");
  return isOfSdk ? "agent" : role;
}

/** Returns a function that reads a detail of the counts, which is printed Python: `{'cache_read': 12}`. */
function detail(side: string, name: string): (facts: SpanFacts) => JsonValue | undefined {
  const pattern = new RegExp(`['"]${name}['"]: *(\\d+)`);
  return ({ span }) => {
    const details = span.named(`gen_ai.usage.${side}_token_details`);
    const match = typeof details === "string" ? pattern.exec(details) : null;
    return match === null ? undefined : Number(match[1]);
  };
}
