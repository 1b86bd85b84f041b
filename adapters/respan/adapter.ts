import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { rolesOf } from "../tables.ts";

/** Respan (before: Keywords AI): Traceloop's attributes, and kinds of its own. */
export const respan: Adapter = {
  dialect: "respan",
  markers: ["respan.entity.log_type", "respan.entity.log_method"],
  scopes: ["respan*"],
  roles: [
    {
      attribute: "respan.entity.log_type",
      roles: rolesOf({
        workflow: "workflow",
        agent: "agent",
        step: "task function",
        tool: "tool",
        call: "chat completion response generation text",
        handoff: "handoff",
        guardrail: "guardrail",
        embedding: "embedding",
      }),
    },
  ],
  fields: { agent: ["respan.metadata.agent_name"], conversation: ["respan.threads.thread_identifier"] },
  derive: {
    agent: ({ span }) => nameOf(span, "agent"),
    tool: ({ span }) => nameOf(span, "tool"),
  },
  producers: [
    {
      name: "Respan",
      // Spans of its instrumentations have no scope.
      scopes: ["", "respan*"],
      dialects: ["respan"],
      switches: [
        { gives: contentEvidence, set: "leave RESPAN_TRACE_CONTENT=false out" },
        { gives: ["session_ids"], set: "thread_identifier in propagate_attributes()" },
      ],
      page: "other-platforms.md",
    },
  ],
};

/** An entity's name is the agent's or tool's when the span is one. */
function nameOf(span: SpanFacts["span"], kind: string): JsonValue | undefined {
  return span.named("respan.entity.log_type") === kind ? span.named("traceloop.entity.name") : undefined;
}
