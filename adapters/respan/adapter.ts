import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";
import { producers } from "./producers.ts";

/** Respan (before: Keywords AI): Traceloop's attributes, and kinds of its own. */
export const respan: Adapter = {
  dialect: "respan",
  producers,
  markers: ["respan.entity.log_type", "respan.entity.log_method"],
  scopes: ["respan*"],
  roles: [
    {
      attribute: "respan.entity.log_type",
      roles: {
        workflow: "workflow",
        agent: "agent",
        task: "step",
        function: "step",
        tool: "tool",
        chat: "call",
        completion: "call",
        response: "call",
        generation: "call",
        text: "call",
        handoff: "handoff",
        guardrail: "guardrail",
        embedding: "embedding",
      },
    },
  ],
  fields: { agent: ["respan.metadata.agent_name"], conversation: ["respan.threads.thread_identifier"] },
  derive: {
    agent: ({ span }) => nameOf(span, "agent"),
    tool: ({ span }) => nameOf(span, "tool"),
  },
};

/** An entity's name is the agent's or tool's when the span is one. */
function nameOf(span: SpanFacts["span"], kind: string): JsonValue | undefined {
  return span.named("respan.entity.log_type") === kind ? span.named("traceloop.entity.name") : undefined;
}
