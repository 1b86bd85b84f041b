import type { Adapter, JsonValue, SpanFacts, SpanRole } from "../adapter-type.ts";
import { words } from "../tables.ts";

/** Scopes of the package that makes spans of the files in which Codex stores its sessions. */
const SESSION_FILES = "openinference.instrumentation.codex";

/** OpenAI's Codex, its command line and its SDK. */
export const codex: Adapter = {
  dialect: "codex",
  markers: words(`
    codex.tool.phase codex.turn.reasoning_effort codex.request.reasoning_effort
    codex.turn.token_usage.total_tokens
  `),
  scopes: ["codex_*", `${SESSION_FILES}*`],
  fields: {
    conversation: ["conversation.id"],
    inputTokens: ["codex.turn.token_usage.input_tokens"],
    outputTokens: ["codex.turn.token_usage.output_tokens"],
    cachedTokens: ["codex.turn.token_usage.cached_input_tokens"],
    reasoningTokens: [
      "codex.turn.token_usage.reasoning_output_tokens",
      "codex.usage.reasoning_output_tokens",
    ],
    totalTokens: ["codex.turn.token_usage.total_tokens", "codex.usage.total_tokens"],
  },
  events: [
    { name: "codex.user_prompt", fields: { input: ["prompt"] } },
    {
      name: "codex.tool_result",
      fields: {
        callId: ["call_id"],
        tool: ["tool_name"],
        arguments: ["arguments"],
        result: ["output"],
        success: ["success"],
      },
    },
    {
      name: "codex.tool_decision",
      fields: { callId: ["call_id"], tool: ["tool_name"], decision: ["decision"] },
    },
    {
      name: "codex.sse_event",
      fields: {
        model: ["model"],
        inputTokens: ["input_token_count"],
        outputTokens: ["output_token_count"],
        cachedTokens: ["cached_token_count"],
        reasoningTokens: ["reasoning_token_count"],
      },
    },
    { name: "codex.api_request", fields: { model: ["model"], error: ["error.message"] } },
  ],
  declaresAllEvents: true,
  role,
  derive: {
    // Only `call_id` contains the id of a tool call. Other ids, for example that of a turn, are not used.
    callId: ({ span }) => span.named("call_id"),
    finish: ({ span }) => finishShownBy(span.named("event.kind")),
    agent: ({ span }) => agentOn(span.named("agent_name")),
  },
  producers: [
    {
      name: "Codex",
      scopes: ["codex_*"],
      switches: [
        { gives: ["query"], set: "log_user_prompt = true in the table [otel] of config.toml" },
        {
          gives: ["tool_arguments", "tool_results"],
          set: "exporter in the table [otel] of config.toml: arguments and results are in its log records",
        },
        { gives: ["model_calls", "usage"], set: "trace_exporter in the table [otel] of config.toml" },
      ],
      page: "coding.md",
    },
  ],
};

/**
 * Returns the finish reason that an event of a streamed response shows: a part of a text, or of a tool request. Undefined for other events,
 * because `response.completed` ends both.
 */
function finishShownBy(kind: JsonValue | undefined): string | undefined {
  if (typeof kind !== "string") return undefined;
  if (/^response\.(?:function_call_arguments|custom_tool_call_input)\./.test(kind)) return "tool_call";
  return kind.startsWith("response.output_text.") ? "stop" : undefined;
}

/** Returns the last agent on a path, such as `reviewer` for `/root/reviewer`. Undefined for `/root`, which is the program itself. */
function agentOn(path: JsonValue | undefined): string | undefined {
  return typeof path === "string" && path.startsWith("/") ? path.split("/").slice(2).pop() : undefined;
}

/**
 * Returns a role for the spans that are an agent's work: turns, model requests and their usage, and executed tool calls. Most other spans
 * are internal steps of the program.
 */
function role({ span }: SpanFacts, role: SpanRole): SpanRole {
  if (span.scopeName?.startsWith(SESSION_FILES)) return roleInSessionFile(span.name, role);
  if (span.name === "session_task.turn") return "agent";
  // The span that executes a tool call has the tool's name as its span name. Other spans that observe the call have the tool's name and
  // call id only as attributes.
  if (span.named("call_id") !== undefined && span.named("tool_name") === span.name) return "tool";
  if (span.name === "try_run_sampling_request") return "call";
  if (span.name === "handle_responses" && span.named("gen_ai.usage.output_tokens") !== undefined)
    return "call";
  return role === "unknown" ? role : "step";
}

/** The span of a turn declares that it is a model call, but has only the last call's usage. The usage of each call is a span of its own. */
function roleInSessionFile(name: string, role: SpanRole): SpanRole {
  if (name === "codex.turn") return "agent";
  return name === "codex.event.token_count" ? "call" : role;
}
