import type { Adapter } from "../adapter-type.ts";

/** Microsoft's `azure-ai-projects`. Each response of an agent that the service runs has a span `invoke_agent`, which is a model call. */
export const azureAiProjects: Adapter = {
  dialect: "azure-ai-projects",
  scopes: ["azure.core.tracing.ext.opentelemetry_span"],
  role: ({ span }, role) => (role === "agent" && span.name.startsWith("invoke_agent") ? "call" : role),
};
