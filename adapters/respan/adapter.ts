import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { rolesOf } from "../tables.ts";

/** Respan (formerly Keywords AI): Traceloop's attributes with Respan's own span kinds. */
export const respan: Adapter = {
  dialect: "respan",
  markers: ["respan.entity.log_type", "respan.entity.log_method"],
  scopes: ["respan*"],
  roles: {
    "respan.entity.log_type": rolesOf({
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
  fields: {
    agent: ["respan.metadata.agent_name"],
    conversation: ["respan.threads.thread_identifier"],
    callId: ["agno.tool.call.id"],
  },
  derive: {
    agent: ({ span }) => workflowAgent(span) ?? nameOf(span, "agent"),
    tool: ({ span }) => nameOf(span, "tool"),
  },
  producers: [
    {
      name: "Respan",
      // Spans of Respan's instrumentations have no scope, so an empty scope matches, too.
      scopes: ["", "respan*"],
      dialects: ["respan"],
      switches: [
        { gives: contentEvidence, set: "do not set RESPAN_TRACE_CONTENT=false" },
        { gives: ["session_ids"], set: "thread_identifier in propagate_attributes()" },
      ],
      page: "other-platforms.md",
    },
  ],
};

/** Matches LlamaIndex's steps of an agent workflow whose event names the agent at work. */
const agentSteps = /\.(?:init_run|setup_agent|run_agent_step)$/;

/** Returns the agent that the event of a LlamaIndex step names. The event of the complete run names the last agent. */
function workflowAgent(span: SpanFacts["span"]): string | undefined {
  const step = span.named("traceloop.entity.name");
  if (typeof step !== "string" || !agentSteps.test(step)) return undefined;
  const output = span.named("traceloop.entity.output");
  return typeof output === "string" ? /"current_agent_name":\s*"([^"]+)"/.exec(output)?.[1] : undefined;
}

/** Returns the entity name if the span has this kind. On agent spans it is the agent's name, on tool spans the tool's name. */
function nameOf(span: SpanFacts["span"], kind: string): JsonValue | undefined {
  return span.named("respan.entity.log_type") === kind ? span.named("traceloop.entity.name") : undefined;
}
