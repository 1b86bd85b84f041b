import type { Adapter } from "../adapter-type.ts";
import { contentEvidence, genaiContent } from "../producer-type.ts";
import { words } from "../tables.ts";

/** Google's Agent Development Kit, Python and JavaScript, and its port ADK-TS. */
export const googleAdk: Adapter = {
  dialect: "google-adk",
  markers: words(`
    gcp.vertex.agent.event_id gcp.vertex.agent.invocation_id gcp.vertex.agent.llm_request
    gcp.vertex.agent.tool_call_args google_adk.runner.app_name adk.invocation_id adk.llm_request
  `),
  scopes: ["gcp.vertex.agent"],
  names: [
    { pattern: /^(?:call_llm|llm_generate)\b/, role: "call" },
    { pattern: /^generate_content\b/, role: "call" },
    { pattern: /^agent_run\b/, role: "agent" },
    { pattern: /^invocation\b/, role: "step" },
    { pattern: /^(?:send_data|invoke_node|compact_events)\b/, role: "step" },
  ],
  fields: {
    conversation: ["gcp.vertex.agent.session_id", "adk.session_id"],
    inputMessages: ["gcp.vertex.agent.llm_request", "adk.llm_request"],
    outputMessages: ["gcp.vertex.agent.llm_response", "adk.llm_response"],
    arguments: ["gcp.vertex.agent.tool_call_args", "adk.tool_call_args"],
    result: ["gcp.vertex.agent.tool_response", "adk.tool_response"],
    // ADK for Java
    callId: ["gen_ai.tool_call.id"],
    usage: ["gcp.vertex.agent.llm_response", "adk.llm_response"],
  },
  // An agent with a model calls the model before a transfer. Sequential, parallel and loop agents call no model.
  onlyOrders: true,
  copies: ["execute_tool (merged"],
  // The runner's span is named after the application.
  role: ({ span }, role) => (span.named("google_adk.runner.app_name") === undefined ? role : "workflow"),
  // Google's output count excludes reasoning tokens. ADK versions that use the conventions' attribute names include
  // reasoning tokens in the output count.
  apart: ({ span }) => ({ reasoning: span.named("gen_ai.usage.reasoning.output_tokens") === undefined }),
  producers: [
    {
      name: "Google ADK",
      scopes: ["gcp.vertex.agent"],
      switches: [
        {
          gives: contentEvidence,
          set: `${genaiContent}=SPAN_ONLY; in older versions, do not set ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=false`,
        },
      ],
      page: "google-adk.md",
    },
  ],
};
