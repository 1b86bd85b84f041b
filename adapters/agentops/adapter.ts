import type { Adapter } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/** AgentOps, Python and JavaScript. */
export const agentops: Adapter = {
  dialect: "agentops",
  markers: ["agentops.span.kind", "openai_agents.span_id", "agentops.entity.name"],
  scopes: ["agentops", "agentops.instrumentation.*"],
  roles: {
    "agentops.span.kind": rolesOf({
      session: "session",
      workflow: "workflow",
      agent: "agent",
      step: "task operation chain unknown",
      tool: "tool",
      call: "llm",
      guardrail: "guardrail",
      unknown: "http",
    }),
    "gen_ai.request.type": { chat: "call", completion: "call", embedding: "embedding" },
  },
  names: [
    // A span `tool_call.*` within the model call only repeats a tool request; the execution of the tool has another span.
    { pattern: /^tool_call\./, role: "copy" },
    { pattern: /^Agent workflow$/i, role: "workflow" },
    { pattern: /^Response$/, role: "call" },
    { pattern: /^Handoff$/, role: "handoff" },
  ],
  fields: {
    agent: ["agent.name"],
    input: ["agentops.entity.input", "response.input"],
    output: ["agentops.entity.output"],
    inputMessages: ["response.input"],
    responseId: ["response.id"],
    tool: ["function.name", "tool.name"],
    arguments: ["function.input"],
    result: ["function.output", "tool.result"],
    handoffFrom: ["agent.handoff.{i}.from", "agent.handoff.0.from", "from_agent"],
    handoffTo: ["agent.handoff.{i}.to", "agent.handoff.0.to", "to_agent"],
    guardrail: ["guardrail.name"],
    triggered: ["guardrail.triggered"],
  },
  // Only a tool span's `tool.parameters` are arguments. On other spans, this attribute is the schema of the tool.
  derive: {
    arguments: ({ span }) =>
      span.named("agentops.span.kind") === "tool" ? span.named("tool.parameters") : undefined,
  },
  producers: [{ name: "AgentOps", scopes: ["agentops"], switches: [], page: "openai-agents-javascript.md" }],
};
