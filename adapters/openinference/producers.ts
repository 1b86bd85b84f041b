import {
  contentEvidence,
  onlyClient,
  openAiStreams,
  ownSpans,
  type Producer,
  type Switch,
} from "../producer-type.ts";

const openInferencePython: readonly Switch[] = [
  {
    gives: contentEvidence,
    set: "unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and every other OPENINFERENCE_HIDE_* variable",
  },
  { gives: ["session_ids"], set: "with using_session(session_id): around the run" },
  openAiStreams,
];

const openInferenceJs: readonly Switch[] = [
  {
    gives: contentEvidence,
    set: "unset OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS, and leave hideInputs and hideOutputs out of traceConfig",
  },
  {
    gives: ["session_ids"],
    set: "context.with(setSession(context.active(), { sessionId }), run) of @arizeai/openinference-core",
  },
  openAiStreams,
];

/** Descriptions of the instrumentations for `doctor`. */
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
];
