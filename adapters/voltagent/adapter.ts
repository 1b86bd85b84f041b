import type { Adapter } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/** VoltAgent's own telemetry. */
export const voltagent: Adapter = {
  dialect: "voltagent",
  markers: ["voltagent.operation_id", "voltagent.conversation_id", "entity.type", "entity.name"],
  scopes: ["@voltagent/*"],
  roles: [
    {
      attribute: "span.type",
      roles: rolesOf({
        call: "llm",
        tool: "tool",
        agent: "agent workflow-agent",
        step: "memory workflow-step",
        guardrail: "guardrail",
        retriever: "retriever",
      }),
    },
    {
      attribute: "entity.type",
      roles: { agent: "agent", workflow: "workflow", tool: "tool", retriever: "retriever" },
    },
  ],
  fields: {
    agent: ["subagent.name", "entity.name"],
    conversation: ["conversation.id", "voltagent.conversation_id"],
    requestModel: ["llm.model", "ai.model.name"],
    finish: ["llm.finish_reason", "ai.response.finish_reason"],
    inputTokens: ["llm.usage.prompt_tokens", "usage.prompt_tokens"],
    outputTokens: ["llm.usage.completion_tokens", "usage.completion_tokens"],
    totalTokens: ["llm.usage.total_tokens", "usage.total_tokens"],
    cachedTokens: ["llm.usage.cached_tokens", "usage.cached_tokens"],
    reasoningTokens: ["llm.usage.reasoning_tokens", "usage.reasoning_tokens"],
    inputMessages: ["llm.messages", "agent.messages"],
    instructions: ["agent.instructions"],
    input: ["input"],
    output: ["output", "llm.response"],
    tool: ["tool.name"],
    callId: ["tool.call.id"],
    errorType: ["error.stage"],
  },
  producers: [
    {
      name: "VoltAgent",
      scopes: ["@voltagent/*"],
      switches: [{ gives: ["session_ids"], set: "conversationId in the options of each call" }],
      page: "voltagent.md",
    },
  ],
};
