import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";
import { words } from "../tables.ts";

/** Client and server spans of the Model Context Protocol, by OpenTelemetry's conventions and by older instrumentations. */
export const mcp: Adapter = {
  dialect: "mcp",
  markers: ["mcp.method.name", "mcp.session.id", "mcp.request.argument", "mcp.response.value"],
  scopes: words(`
    @arizeai/openinference-instrumentation-mcp opentelemetry.instrumentation.mcp
    opentelemetry.instrumentation.mcp.* @traceloop/instrumentation-mcp
  `),
  names: [
    { pattern: /^tools\/call\b/, role: "tool" },
    {
      pattern: /\.mcp$|^(?:initialize|ping|(?:tools|prompts|resources)\/\w+)|^ResponseStreamWriter$/,
      role: "message",
    },
  ],
  fields: {
    arguments: ["mcp.request.argument"],
    result: ["mcp.response.value"],
  },
  role,
};

function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  const method = span.named("mcp.method.name");
  return typeof method !== "string" ? role : method === "tools/call" ? "tool" : "message";
}
