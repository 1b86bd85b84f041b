import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { graphMarkers, graphRole, returnedMessages, sentMessages } from "./graph-state.ts";

/** Spring AI, and Spring AI Alibaba's graphs, through Micrometer's bridge. */
export const springAi: Adapter = {
  dialect: "spring-ai",
  markers: [
    "spring.ai.kind",
    "spring.ai.tool.definition.name",
    "spring.ai.chat.client.stream",
    ...graphMarkers,
  ],
  roles: {
    "spring.ai.kind": {
      chat_client: "workflow",
      advisor: "step",
      tool_call: "tool",
      vector_store: "retriever",
    },
  },
  fields: {
    workflow: ["spring.ai.chat.client.name"],
    conversation: ["spring.ai.chat.client.conversation.id", "spring.ai.chat.client.conversation_id"],
    input: ["gen_ai.prompt", "spring.ai.chat.client.user.text", "spring.ai.chat.client.user_text"],
    tool: ["spring.ai.tool.definition.name"],
    callId: ["spring.ai.tool.call.id"],
    arguments: ["spring.ai.tool.call.arguments"],
    result: ["spring.ai.tool.call.result"],
    retrievalQuery: ["db.vector.query.content", "spring.ai.vector_store.query.content"],
    documents: ["db.vector.query.response.documents", "spring.ai.vector_store.query.response.documents"],
  },
  role: graphRole,
  derive: { inputMessages: sentMessages, outputMessages: returnedMessages },
  cumulative,
  producers: [
    {
      name: "Spring AI",
      scopes: ["*"],
      dialects: ["spring-ai"],
      switches: [
        {
          gives: contentEvidence,
          bySide: true,
          set: "spring.ai.chat.observations.log-prompt=true, spring.ai.chat.observations.log-completion=true, spring.ai.tools.observations.include-content=true",
        },
      ],
      page: "spring-ai.md",
    },
  ],
};

/**
 * Whether the usage of calls below the span is cumulative. In 1.x, model classes run the tool loop and add the usage of earlier calls to
 * each response. If an advisor runs the loop (2.0, optional in 1.1), each call has its own usage.
 */
function cumulative({ span }: SpanFacts): boolean | undefined {
  const kind = span.named("spring.ai.kind");
  if (kind === "advisor")
    return runsLoop(span.name, span.named("spring.ai.advisor.name")) ? false : undefined;
  return kind === "chat_client" || kind === "tool_call" ? true : undefined;
}

function runsLoop(...names: readonly (JsonValue | undefined)[]): boolean {
  return names.some((name) => typeof name === "string" && /tool/i.test(name));
}
