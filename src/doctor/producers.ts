import { contentEvidence, type EvidenceName } from "./evidence.ts";

/** A setting of one instrumentation and the evidence that it lets through. */
export interface Switch {
  readonly gives: readonly EvidenceName[];
  /** What to set, in the agent's process. */
  readonly set: string;
}

/** What is known of an instrumentation: how to recognise it, what to switch on, what it never shows. */
export interface Producer {
  readonly name: string;
  /** Instrumentation scopes; a name ending in `*` is a prefix. */
  readonly scopes: readonly string[];
  /** Dialects of which its spans must speak one, where the scope alone could be another's. */
  readonly dialects?: readonly string[];
  readonly switches: readonly Switch[];
  readonly cannot?: readonly { readonly what: EvidenceName; readonly why: string }[];
  /** Page under docs/agents. */
  readonly page: string;
}

const content: readonly EvidenceName[] = contentEvidence;

const openAiStreams: Switch = {
  gives: ["usage", "cost"],
  set: 'stream_options={"include_usage": True} on streamed requests (ChatOpenAI: stream_usage=True)',
};

const openInferencePython: readonly Switch[] = [
  {
    gives: content,
    set: "unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and every other OPENINFERENCE_HIDE_* variable",
  },
  { gives: ["session_ids"], set: "with using_session(session_id): around the run" },
  openAiStreams,
];

const openInferenceJs: readonly Switch[] = [
  {
    gives: content,
    set: "unset OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS, and leave hideInputs and hideOutputs out of traceConfig",
  },
  {
    gives: ["session_ids"],
    set: "context.with(setSession(context.active(), { sessionId }), run) of @arizeai/openinference-core",
  },
  openAiStreams,
];

const traceloop: readonly Switch[] = [
  { gives: content, set: "TRACELOOP_TRACE_CONTENT=true (JavaScript also: traceContent: true)" },
  {
    gives: ["session_ids"],
    set: "Traceloop.set_association_properties({ session_id }) (JavaScript: withAssociationProperties)",
  },
  { gives: ["agent_names"], set: "@agent(name=…) around each agent (JavaScript: withAgent({ name }, …))" },
  openAiStreams,
];

const genaiContent = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

const otelGenaiPython: readonly Switch[] = [
  {
    gives: content,
    set: `${genaiContent}=SPAN_ONLY (or SPAN_AND_EVENT; EVENT_ONLY needs an OTLP log exporter as well)`,
  },
  openAiStreams,
];

const ownSpans: readonly Switch[] = [
  {
    gives: ["tool_names", "tool_arguments", "tool_results"],
    set: "an execute_tool span around each tool, with gen_ai.tool.name, gen_ai.tool.call.arguments and gen_ai.tool.call.result",
  },
  { gives: ["agent_names"], set: "an invoke_agent span around the agent, with gen_ai.agent.name" },
  { gives: ["session_ids"], set: "gen_ai.conversation.id on the agent's span" },
];

const onlyClient: Producer["cannot"] = [
  { what: "agent_names", why: "it sees the model client only; agents need spans of their own" },
];

/**
 * The instrumentations we know, the first that fits decides: the data behind `doctor` and, by hand, behind docs/agents. A new one is one
 * entry here and one page there.
 */
export const producers: readonly Producer[] = [
  {
    name: "OpenInference for LangChain (Python)",
    scopes: ["openinference.instrumentation.langchain"],
    switches: [
      ...openInferencePython,
      { gives: ["agent_names"], set: "create_agent(name=…), or name the graph's nodes" },
    ],
    page: "langgraph-python.md",
  },
  {
    name: "OpenInference for LangChain (JavaScript)",
    scopes: ["@arizeai/openinference-instrumentation-langchain*"],
    switches: [
      ...openInferenceJs,
      { gives: ["agent_names"], set: "createAgent({ name }), or name the graph's nodes" },
    ],
    page: "langgraph-javascript.md",
  },
  {
    name: "OpenInference for OpenAI Agents (Python)",
    scopes: ["openinference.instrumentation.openai_agents"],
    switches: openInferencePython,
    page: "openai-agents-python.md",
  },
  {
    name: "OpenInference for the Claude Agent SDK",
    scopes: [
      "@arizeai/openinference-instrumentation-claude-agent-sdk",
      "openinference.instrumentation.claude_agent_sdk",
    ],
    switches: openInferenceJs,
    page: "claude-agent-sdk.md",
  },
  {
    name: "OpenInference for model clients (Python)",
    scopes: [
      "openinference.instrumentation.openai",
      "openinference.instrumentation.anthropic",
      "openinference.instrumentation.bedrock",
    ],
    switches: [...openInferencePython, ...ownSpans],
    cannot: onlyClient,
    page: "model-clients.md",
  },
  {
    name: "OpenInference for model clients (JavaScript)",
    scopes: [
      "@arizeai/openinference-instrumentation-openai",
      "@arizeai/openinference-instrumentation-anthropic",
      "@arizeai/openinference-instrumentation-bedrock",
    ],
    switches: [...openInferenceJs, ...ownSpans],
    cannot: onlyClient,
    page: "model-clients.md",
  },
  {
    name: "OpenInference for Haystack",
    scopes: ["openinference.instrumentation.haystack"],
    switches: openInferencePython,
    page: "haystack.md",
  },
  {
    name: "OpenInference for LlamaIndex",
    scopes: ["openinference.instrumentation.llama_index"],
    switches: openInferencePython,
    page: "llamaindex.md",
  },
  {
    name: "OpenInference for CrewAI",
    scopes: ["openinference.instrumentation.crewai"],
    switches: [
      ...openInferencePython,
      {
        gives: ["usage", "models", "model_calls", "cost", "messages"],
        set: "instrument the model client as well: OpenAIInstrumentor of openinference-instrumentation-openai",
      },
    ],
    page: "crewai.md",
  },
  {
    name: "OpenInference for smolagents",
    scopes: ["openinference.instrumentation.smolagents"],
    switches: openInferencePython,
    page: "smolagents.md",
  },
  {
    name: "OpenInference for Google ADK",
    scopes: ["openinference.instrumentation.google_adk"],
    switches: openInferencePython,
    page: "google-adk.md",
  },
  {
    name: "OpenInference (Python)",
    scopes: ["openinference.instrumentation.*"],
    switches: openInferencePython,
    page: "openinference.md",
  },
  {
    name: "OpenInference (JavaScript)",
    scopes: ["@arizeai/openinference-*", "openinference-core"],
    switches: openInferenceJs,
    page: "openinference.md",
  },
  {
    name: "OpenLLMetry",
    scopes: ["@traceloop/*", "traceloop.tracer"],
    switches: traceloop,
    page: "openllmetry.md",
  },
  {
    name: "OpenLLMetry (Python)",
    scopes: ["opentelemetry.instrumentation.*"],
    dialects: ["openllmetry"],
    switches: traceloop,
    page: "openllmetry.md",
  },
  {
    name: "OpenTelemetry GenAI (Python)",
    scopes: ["opentelemetry.instrumentation.genai.*", "opentelemetry.util.genai*"],
    switches: otelGenaiPython,
    page: "opentelemetry-genai.md",
  },
  {
    name: "OpenTelemetry for the OpenAI client (Python)",
    scopes: ["opentelemetry.instrumentation.openai_v2"],
    switches: [
      {
        gives: content,
        set: `${genaiContent}=true and an OTLP log exporter: contents arrive as log records`,
      },
      openAiStreams,
      ...ownSpans,
    ],
    cannot: onlyClient,
    page: "opentelemetry-genai.md",
  },
  {
    name: "OpenTelemetry for OpenAI Agents (Python)",
    scopes: ["opentelemetry.instrumentation.openai_agents"],
    dialects: ["otel-genai"],
    switches: [{ gives: content, set: `${genaiContent}=span_only (no_content leaves them out)` }],
    page: "openai-agents-python.md",
  },
  {
    name: "OpenTelemetry for the OpenAI client (JavaScript)",
    scopes: ["@opentelemetry/instrumentation-openai", "@elastic/opentelemetry-instrumentation-openai"],
    switches: [
      {
        gives: content,
        set: "new OpenAIInstrumentation({ captureMessageContent: true }) and an OTLP log exporter: contents arrive as log records",
      },
      { gives: ["usage", "cost"], set: "stream_options: { include_usage: true } on streamed requests" },
      ...ownSpans,
    ],
    cannot: onlyClient,
    page: "opentelemetry-genai.md",
  },
  {
    name: "AI SDK 5 and 6",
    scopes: ["ai"],
    switches: [
      {
        gives: content,
        set: "experimental_telemetry: { isEnabled: true, recordInputs: true, recordOutputs: true }",
      },
      { gives: ["session_ids"], set: "experimental_telemetry: { metadata: { sessionId } }" },
      { gives: ["agent_names"], set: "experimental_telemetry: { functionId: name }" },
    ],
    page: "ai-sdk.md",
  },
  {
    name: "AI SDK 7",
    scopes: ["gen_ai"],
    switches: [
      { gives: content, set: "telemetry: { recordInputs: true, recordOutputs: true }" },
      {
        gives: ["session_ids"],
        set: "telemetry: { includeRuntimeContext: { sessionId: true } } and runtimeContext: { sessionId }",
      },
      { gives: ["agent_names"], set: "telemetry: { functionId: name }" },
    ],
    page: "ai-sdk.md",
  },
  {
    name: "Mastra",
    scopes: ["@mastra/*"],
    switches: [{ gives: ["session_ids"], set: "tracingOptions: { metadata: { sessionId } } on each call" }],
    page: "mastra.md",
  },
  {
    name: "LangSmith's OpenTelemetry mode",
    scopes: ["langsmith"],
    switches: [
      { gives: content, set: "unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS" },
      { gives: ["session_ids"], set: "metadata: session_id or thread_id" },
    ],
    page: "langsmith.md",
  },
  {
    name: "Langfuse SDK",
    scopes: ["langfuse-sdk"],
    switches: [
      { gives: content, set: "remove the `mask` function, or let it keep inputs and outputs" },
      { gives: ["session_ids"], set: "propagateAttributes({ sessionId }, run)" },
    ],
    page: "langfuse.md",
  },
  {
    name: "Laminar",
    scopes: ["lmnr*"],
    switches: [{ gives: content, set: "leave ignoreInput and ignoreOutput out of observe()" }],
    page: "laminar.md",
  },
  {
    name: "Pydantic AI",
    scopes: ["pydantic-ai"],
    switches: [
      { gives: content, set: "InstrumentationSettings(include_content=True)" },
      { gives: ["agent_names"], set: "Agent(…, name=…)" },
    ],
    page: "pydantic-ai.md",
  },
  {
    name: "Logfire",
    scopes: ["logfire", "logfire.*"],
    switches: [
      {
        gives: content,
        set: "include_content=True where it is instrumented; scrubbing=False if values arrive as [Scrubbed …]",
      },
    ],
    page: "pydantic-ai.md",
  },
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
  {
    name: "OpenTelemetry GenAI conventions",
    scopes: ["*"],
    dialects: ["otel-genai"],
    switches: [{ gives: content, set: `${genaiContent}=true (newer versions: SPAN_ONLY)` }, ...ownSpans],
    page: "opentelemetry-genai.md",
  },
];

/** What is known of the instrumentation behind a scope; undefined for one that speaks no dialect we know. */
export function producerOf(scope: string, dialects: readonly string[]): Producer | undefined {
  return producers.find(
    (producer) =>
      producer.scopes.some((pattern) => matches(pattern, scope)) &&
      (producer.dialects === undefined || producer.dialects.some((dialect) => dialects.includes(dialect))),
  );
}

function matches(pattern: string, scope: string): boolean {
  return pattern.endsWith("*") ? scope.startsWith(pattern.slice(0, -1)) : scope === pattern;
}
