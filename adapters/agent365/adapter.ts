import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";

export const agent365: Adapter = {
  dialect: "agent365",
  markers: ["microsoft.a365.caller.agent.name", "custom.parent.span.id", "microsoft.a365.agent.id"],
  scopes: ["agent365-*", "Agent365Sdk", "microsoft-agents-a365*", "microsoft_agents_a365*"],
  fields: { caller: ["microsoft.a365.caller.agent.name", "gen_ai.caller.agent.name"] },
  role,
  derive: {
    handoffFrom: (facts) => (isHandoff(facts) ? facts.text("caller") : undefined),
    handoffTo: (facts) => (isHandoff(facts) ? facts.text("agent") : undefined),
  },
  producers: [
    {
      name: "Agent 365",
      scopes: ["agent365-*", "Agent365Sdk", "microsoft-agents-a365*", "microsoft_agents_a365*"],
      switches: [],
      page: "openai-agents-javascript.md",
    },
  ],
};

const client = 3;

/**
 * A hand-off has two spans: one in which the caller records the invocation of the target, and the target's own span. The first gets the
 * role `handoff`.
 */
function role(facts: SpanFacts, role: SpanRole): SpanRole {
  return role === "agent" && isHandoff(facts) ? "handoff" : role;
}

function isHandoff(facts: SpanFacts): boolean {
  return facts.span.kind === client && facts.has("caller");
}
