import type { Adapter } from "../adapter-type.ts";

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
};
