import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";
import { producers } from "./producers.ts";

/** Claude Code and the Claude Agent SDK, which export through its command line. */
export const claudeCode: Adapter = {
  dialect: "claude-code",
  producers,
  markers: ["query_source_safe", "interaction.sequence", "llm_request.context", "tool_name_safe"],
  scopes: ["com.anthropic.claude_code*"],
  roles: [
    {
      attribute: "span.type",
      roles: {
        interaction: "agent",
        llm_request: "call",
        tool: "tool",
        "tool.execution": "tool",
        "tool.blocked_on_user": "copy",
        hook: "step",
        "claude_code.interaction": "agent",
        "claude_code.llm_request": "call",
        "claude_code.tool": "tool",
        "claude_code.tool.execution": "tool",
        "claude_code.tool.blocked_on_user": "copy",
        "claude_code.hook": "step",
      },
    },
  ],
  names: [
    { pattern: /^claude_code\.interaction$/, role: "agent", own: true },
    { pattern: /^claude_code\.llm_request$/, role: "call", own: true },
    { pattern: /^claude_code\.tool$/, role: "tool", own: true },
    { pattern: /^claude_code\.tool\.execution$/, role: "tool", own: true },
    { pattern: /^claude_code\.tool\./, role: "copy", own: true },
    { pattern: /^claude_code\.hook$/, role: "step", own: true },
  ],
  fields: {
    conversation: ["session.id"],
    requestModel: ["model"],
    inputTokens: ["input_tokens"],
    outputTokens: ["output_tokens"],
    cachedTokens: ["cache_read_tokens"],
    cacheWriteTokens: ["cache_creation_tokens"],
    finish: ["stop_reason"],
    responseId: ["request_id"],
    input: ["user_prompt", "new_context"],
    outputText: ["response.model_output"],
    tool: ["tool_name"],
    callId: ["tool_use_id"],
    arguments: ["tool_input", "full_command", "file_path"],
    success: ["success"],
    error: ["error"],
  },
  events: [
    { name: "user_prompt", fields: { input: ["prompt", "prompt_text"] } },
    { name: "assistant_response", fields: { outputText: ["response", "response_text"] } },
    { name: "tool_result", fields: toolFields() },
    { name: "tool.output", fields: { result: ["output", "content"] } },
    { name: "api_request", fields: requestFields() },
    { name: "api_request_body", fields: { inputMessages: ["body"] } },
    { name: "api_response_body", fields: { outputMessages: ["body"] } },
  ],
  role,
  // The execution inside a tool's span has no name of its own.
  derive: { tool: ({ span }) => (span.name.endsWith(".execution") ? "tool" : undefined) },
  // Newer versions write the conventions' count as well, which holds what was cached.
  apart: ({ span }) => ({ cached: span.named("gen_ai.usage.input_tokens") === undefined }),
};

function requestFields(): NonNullable<Adapter["fields"]> {
  return {
    model: ["model"],
    cost: ["cost_usd"],
    inputTokens: ["input_tokens"],
    outputTokens: ["output_tokens"],
    responseId: ["request_id"],
  };
}

function toolFields(): NonNullable<Adapter["fields"]> {
  return {
    callId: ["tool_use_id"],
    tool: ["tool_name"],
    arguments: ["tool_input"],
    success: ["success"],
    error: ["error", "error_type"],
  };
}

/** Titles and compaction are the tool's own calls, not the agent's. */
function role(facts: SpanFacts, role: SpanRole): SpanRole {
  const source = facts.span.named("query_source") ?? facts.span.named("query_source_safe");
  return role === "call" && (source === "generate_session_title" || source === "compact") ? "step" : role;
}
