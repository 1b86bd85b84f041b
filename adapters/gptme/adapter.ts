import type { Adapter, SpanFacts, SpanRole } from "../adapter-type.ts";

/** gptme. Its own spans have no contents; the instrumentation of the model's client records the calls. */
export const gptme: Adapter = {
  dialect: "gptme",
  scopes: ["gptme*"],
  fields: {
    conversation: ["conversation.id"],
    tool: ["tool.name"],
    success: ["tool.success"],
    error: ["tool.error.message"],
  },
  role,
  producers: [
    {
      name: "gptme",
      scopes: ["gptme*"],
      switches: [
        {
          gives: ["query", "answer", "messages", "tool_arguments", "tool_results", "model_calls", "usage"],
          set: "GPTME_TELEMETRY_ENABLED=true, with gptme[server,telemetry] installed",
        },
      ],
      page: "coding.md",
    },
  ],
};

/**
 * Most spans are functions of the program, and a failed hook does not mean that the run failed. The span `llm_request` repeats the span of
 * the model's client. A tool can have several spans; the one with `tool.success` counts, because gptme writes it at the end of the tool.
 */
function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  if (span.name === "chat.main") return "agent";
  if (span.name === "llm_request") return "copy";
  if (span.name.startsWith("tool.")) return span.named("tool.success") === undefined ? "copy" : "tool";
  if (span.name.startsWith("hook.")) return "message";
  return role === "unknown" ? role : "step";
}
