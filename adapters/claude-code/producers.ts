import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
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
        set: "CLAUDE_CODE_ENABLE_TELEMETRY=1 and CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1 with OTEL_TRACES_EXPORTER=otlp",
      },
    ],
    page: "claude-agent-sdk.md",
  },
];
