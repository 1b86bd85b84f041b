import type { Adapter } from "../adapter-type.ts";

/** AWS Strands Agents. Messages are in span events. The token counts on an agent span are the sum over the lifetime of the agent object. */
export const strands: Adapter = {
  dialect: "strands",
  markers: ["event_loop.cycle_id", "gen_ai.agent.tools", "gen_ai.tool.status"],
  scopes: ["strands.telemetry.tracer", "strands-agents"],
  names: [
    { pattern: /^execute_event_loop_cycle\b/, role: "step" },
    { pattern: /^invoke_(?:swarm|graph)\b/, role: "workflow" },
    { pattern: /^Model invoke$/, role: "call" },
    { pattern: /^Cycle /, role: "step" },
    { pattern: /^Tool: /, role: "tool" },
  ],
  fields: {
    level: ["gen_ai.tool.status", "tool.status"],
    instructions: ["system_prompt"],
    agent: ["agent.name"],
  },
  // The prompt that a swarm gives to its first agent.
  wrappedQuery: [/^Context:\nUser Request: ([\s\S]+?)\n\n/],
  producers: [
    {
      name: "Strands Agents",
      scopes: ["strands.telemetry.tracer", "strands-agents"],
      switches: [{ gives: ["session_ids"], set: 'Agent(trace_attributes={"session.id": …})' }],
      page: "strands.md",
    },
  ],
};
