import type { Adapter } from "../adapter-type.ts";

/** Ingenimax's agent-sdk-go with its OpenTelemetry tracer. A span `llm.generate_…` covers all model calls of an agent. */
export const agentSdkGo: Adapter = {
  dialect: "agent-sdk-go",
  names: [
    { pattern: /^github\.com\/Ingenimax\/agent-sdk-go\/agent\.Run$/, role: "agent", own: true },
    { pattern: /^github\.com\/Ingenimax\/agent-sdk-go\/llm\.generate\w*$/, role: "step", own: true },
    { pattern: /^github\.com\/Ingenimax\/agent-sdk-go\/sub_agent\..+$/, role: "tool", own: true },
  ],
  fields: {
    tool: ["sub_agent.tool_name"],
    handoffTo: ["sub_agent.name"],
    result: ["sub_agent.response"],
  },
};
