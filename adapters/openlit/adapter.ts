import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";

/** OpenLIT. */
export const openlit: Adapter = {
  dialect: "openlit",
  markers: [
    "gen_ai.sdk.version",
    "gen_ai.agent.actual_output",
    "gen_ai.agent.human_input",
    "gen_ai.usage.cost",
    "openlit.agent.version_hash",
  ],
  scopes: ["openlit.*", "openlit"],
  fields: {
    input: [
      "gen_ai.content.prompt",
      "gen_ai.agent.human_input",
      "gen_ai.workflow.input",
      "gen_ai.agent.task",
    ],
    output: [
      "gen_ai.content.completion",
      "gen_ai.agent.actual_output",
      "gen_ai.workflow.output",
      "gen_ai.agent.final_result",
    ],
    agent: ["gen_ai.agent.role"],
    arguments: ["gen_ai.tool.args"],
  },
  role,
  // Earlier versions fingerprint the messages into one text.
  wrappedQuery: [/(?:^|\n)user: ([\s\S]+?)(?=\n(?:system|user|assistant|tool): |$)/],
};

/** The turns of the Agents SDK are shown as agents without a name. */
function role(facts: SpanFacts, role: SpanRole): SpanRole {
  return role === "agent" && facts.span.name === "invoke_agent" && !facts.has("agent") ? "step" : role;
}
