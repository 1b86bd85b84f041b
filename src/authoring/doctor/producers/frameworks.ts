import type { Producer } from "./producer.ts";
import { content, genaiContent, ownSpans, onlyClient } from "./switches.ts";

/** Agent frameworks with telemetry of their own. */
export const frameworks: readonly Producer[] = [
  {
    name: "Google ADK",
    scopes: ["gcp.vertex.agent"],
    switches: [
      {
        gives: content,
        set: `ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true; newer schemas: ${genaiContent}=SPAN_AND_EVENT`,
      },
    ],
    page: "google-adk.md",
  },
  {
    name: "Genkit",
    scopes: ["genkit-tracer"],
    switches: [{ gives: ["agent_names"], set: "wrap the agent in ai.defineFlow({ name }, …)" }],
    page: "genkit.md",
  },
  {
    name: "VoltAgent",
    scopes: ["@voltagent/*"],
    switches: [{ gives: ["session_ids"], set: "conversationId in the options of each call" }],
    page: "voltagent.md",
  },
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
  {
    name: "Anthropic's SDK",
    scopes: ["com.anthropic.sdk.*", "com.anthropic.claude-platform"],
    switches: [{ gives: content, set: "ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content" }, ...ownSpans],
    cannot: onlyClient,
    page: "model-clients.md",
  },
  {
    name: "Microsoft Agent Framework",
    scopes: ["agent_framework", "Experimental.Microsoft.Agents.AI*"],
    switches: [
      { gives: content, set: "ENABLE_SENSITIVE_DATA=true, or observability.enable_sensitive_telemetry()" },
    ],
    page: "agent-framework.md",
  },
  {
    name: "Semantic Kernel",
    scopes: ["semantic_kernel.*", "Microsoft.SemanticKernel*"],
    switches: [
      {
        gives: content,
        set: "SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true and an OTLP log exporter on the root logger",
      },
      {
        gives: ["model_calls", "usage", "models"],
        set: "SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS=true",
      },
    ],
    page: "semantic-kernel.md",
  },
  {
    name: "AutoGen",
    scopes: ["autogen-core", "autogen *"],
    switches: [
      {
        gives: ["messages", "answer", "usage", "models", "model_calls"],
        set: "instrument the model client as well, for instance with openinference-instrumentation-openai",
      },
    ],
    page: "autogen.md",
  },
  {
    name: "Agent 365",
    scopes: ["agent365-*", "Agent365Sdk", "microsoft-agents-a365*"],
    switches: [],
    page: "openai-agents-javascript.md",
  },
  { name: "AgentOps", scopes: ["agentops"], switches: [], page: "openai-agents-javascript.md" },
  { name: "Prompt flow", scopes: ["promptflow"], switches: [], page: "promptflow.md" },
  {
    name: "LiteLLM",
    scopes: ["litellm"],
    switches: [{ gives: content, set: "litellm.turn_off_message_logging = False" }, ...ownSpans],
    cannot: onlyClient,
    page: "litellm.md",
  },
  {
    name: "Strands Agents",
    scopes: ["strands.telemetry.tracer", "strands-agents"],
    switches: [{ gives: ["session_ids"], set: 'Agent(trace_attributes={"session.id": …})' }],
    page: "strands.md",
  },
  {
    name: "Haystack",
    scopes: ["haystack*"],
    switches: [{ gives: content, set: "HAYSTACK_CONTENT_TRACING_ENABLED=true" }],
    page: "haystack.md",
  },
  {
    name: "Haystack",
    scopes: ["*"],
    dialects: ["haystack"],
    switches: [{ gives: content, set: "HAYSTACK_CONTENT_TRACING_ENABLED=true" }],
    page: "haystack.md",
  },
  {
    name: "LlamaIndex",
    scopes: ["llamaindex.opentelemetry.tracer"],
    switches: [
      {
        gives: ["messages", "tool_arguments", "usage"],
        set: "openinference-instrumentation-llama-index instead of the native package, which writes events only in its early versions",
      },
    ],
    page: "llamaindex.md",
  },
  {
    name: "LiveKit Agents",
    scopes: ["livekit-agents"],
    switches: [],
    page: "livekit.md",
  },
  {
    name: "Spring AI",
    scopes: ["*"],
    dialects: ["spring-ai"],
    switches: [
      {
        gives: content,
        set: "spring.ai.chat.observations.log-prompt=true, spring.ai.chat.observations.log-completion=true, spring.ai.tools.observations.include-content=true",
      },
    ],
    page: "spring-ai.md",
  },
];
