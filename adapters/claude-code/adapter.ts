import type { Adapter, JsonValue, SpanRole, SpanFacts } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/** Claude Code and the Claude Agent SDK, which export through its command line. */
export const claudeCode: Adapter = {
  dialect: "claude-code",
  markers: ["query_source_safe", "interaction.sequence", "llm_request.context", "tool_name_safe"],
  scopes: ["com.anthropic.claude_code*"],
  roles: {
    "span.type": rolesOf({
      agent: "interaction claude_code.interaction",
      call: "llm_request claude_code.llm_request",
      tool: "tool tool.execution claude_code.tool claude_code.tool.execution",
      step: "tool.blocked_on_user claude_code.tool.blocked_on_user hook claude_code.hook",
    }),
  },
  names: [
    { pattern: /^claude_code\.interaction$/, role: "agent", own: true },
    { pattern: /^claude_code\.llm_request$/, role: "call", own: true },
    { pattern: /^claude_code\.tool$/, role: "tool", own: true },
    { pattern: /^claude_code\.tool\.execution$/, role: "tool", own: true },
    { pattern: /^claude_code\.(?:tool\.|hook$)/, role: "step", own: true },
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
    {
      name: "tool_decision",
      fields: { callId: ["tool_use_id"], tool: ["tool_name"], decision: ["decision"] },
    },
    { name: "tool.output", fields: { result: ["output", "content"] } },
    { name: "api_request", fields: requestFields() },
    { name: "api_request_body", fields: { inputMessages: ["body"] } },
    { name: "api_response_body", fields: { outputMessages: ["body"] } },
  ],
  declaresAllEvents: true,
  role,
  // Within a tool's span, the span of the execution has no tool name. The value `tool` is no name either; it prevents that the span name is
  // read as one.
  derive: {
    tool: ({ span }) => (span.name.endsWith(".execution") ? "tool" : undefined),
    handoffTo: ({ span }) => span.named("subagent_type"),
  },
  // Newer versions also write `gen_ai.usage.input_tokens`, which includes cached tokens.
  apart: ({ span }) => ({ cached: span.named("gen_ai.usage.input_tokens") === undefined }),
  producers: [
    {
      name: "Claude Code and the Claude Agent SDK",
      scopes: ["com.anthropic.claude_code*"],
      switches: [
        { gives: ["query"], set: "OTEL_LOG_USER_PROMPTS=1" },
        { gives: ["tool_arguments"], set: "OTEL_LOG_TOOL_DETAILS=1" },
        { gives: ["tool_results"], set: "OTEL_LOG_TOOL_CONTENT=1" },
        {
          gives: ["answer", "messages"],
          set: "OTEL_LOG_RAW_API_BODIES=1 with OTEL_LOGS_EXPORTER=otlp",
        },
        {
          gives: ["model_calls", "usage"],
          set: "CLAUDE_CODE_ENABLE_TELEMETRY=1 and CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1 with OTEL_TRACES_EXPORTER=otlp; in version 2.1.247 and older also OTEL_LOGS_EXPORTER=otlp",
        },
      ],
      page: "claude-agent-sdk.md",
    },
  ],
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

/**
 * Excludes model calls for titles and compaction, and calls outside of any interaction: the program makes them for itself, not for the
 * agent.
 */
function role(facts: SpanFacts, role: SpanRole): SpanRole {
  if (role !== "call") return role;
  const source = facts.span.named("query_source") ?? facts.span.named("query_source_safe");
  const isAlone =
    source === undefined &&
    facts.span.named("llm_request.context") === "standalone" &&
    !answersPrompt(facts.span.named("qwen-code.prompt_id"));
  return isAlone || source === "generate_session_title" || source === "compact" ? "step" : role;
}

/** Whether an id is that of a user's prompt. Qwen Code 0.21 traces each call alone; the calls for itself have ids of another form. */
function answersPrompt(promptId: JsonValue | undefined): boolean {
  return typeof promptId === "string" && /#{8}\d+$/.test(promptId);
}
