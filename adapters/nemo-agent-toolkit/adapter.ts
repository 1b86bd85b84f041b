import type { Adapter, SpanFacts, SpanRole } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/** NVIDIA's NeMo Agent Toolkit: OpenInference's attributes, in which each of its own functions is a chain. */
export const nemoAgentToolkit: Adapter = {
  dialect: "nemo-agent-toolkit",
  markers: ["nat.event_type", "nat.span.kind"],
  roles: {
    "nat.span.kind": rolesOf({
      workflow: "workflow",
      call: "llm",
      tool: "tool",
      agent: "agent",
      embedding: "embedder",
      retriever: "retriever",
      reranker: "reranker",
      guardrail: "guardrail",
      evaluation: "evaluator",
      step: "function task custom span",
    }),
  },
  fields: { conversation: ["nat.conversation.id"] },
  role,
};

/**
 * Gives the role `tool` to a function of the toolkit that an agent uses. The function's span has the function's name. Framework steps
 * inside a function have different names, and the workflow's own function has a name in angle brackets. The span of a workflow names the
 * workflow's type, which may be an agent.
 */
function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  const kind = span.named("nat.subspan.name");
  if (role === "workflow") return typeof kind === "string" && kind.includes("agent") ? "agent" : role;
  const isFunction = role === "step" && span.named("nat.function.name") === span.name;
  return isFunction && !span.name.startsWith("<") ? "tool" : role;
}
