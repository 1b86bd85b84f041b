import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";

/** AutoAgents for Rust, with its crate `autoagents-telemetry`. */
export const autoagents: Adapter = {
  dialect: "autoagents",
  scopes: ["autoagents.telemetry"],
  names: [
    { pattern: /^autoagents\.task$/, role: "agent", own: true },
    { pattern: /^autoagents\.turn$/, role: "step", own: true },
    { pattern: /^autoagents\.tool_call$/, role: "tool", own: true },
  ],
  fields: {
    agent: ["actor_name"],
    input: ["task.description"],
    output: ["task.result"],
  },
  derive: { output: answer },
};

/** Returns the answer. The result of a task contains it next to the tools' results. */
function answer(facts: SpanFacts): JsonValue | undefined {
  const value = facts.json("output");
  return typeof value === "object" && value !== null && "response" in value ? value["response"] : undefined;
}
