import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";
import { contentEvidence, onlyClient, openAiStreams, ownSpans, type Switch } from "../producer-type.ts";
import { rolesOf, words } from "../tables.ts";

const openInferencePython: readonly Switch[] = [
  {
    gives: contentEvidence,
    bySide: true,
    set: "unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and every other OPENINFERENCE_HIDE_* variable",
  },
  { gives: ["session_ids"], set: "with using_session(session_id): around the run" },
  openAiStreams,
];

const openInferenceJs: readonly Switch[] = [
  {
    gives: contentEvidence,
    bySide: true,
    set: "unset OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS, and leave hideInputs and hideOutputs out of traceConfig",
  },
  {
    gives: ["session_ids"],
    set: "context.with(setSession(context.active(), { sessionId }), run) of @arizeai/openinference-core",
  },
  openAiStreams,
];

export const openinference: Adapter = {
  dialect: "openinference",
  markers: ["openinference.span.kind"],
  scopes: ["openinference.instrumentation.*", "@arizeai/openinference-*"],
  roles: {
    "openinference.span.kind": rolesOf({
      call: "llm",
      agent: "agent",
      tool: "tool",
      step: "chain prompt",
      retriever: "retriever",
      embedding: "embedding",
      reranker: "reranker",
      guardrail: "guardrail",
      evaluation: "evaluator",
    }),
  },
  fields: {
    // Paid's SDK uses these instrumentations, and adds the application's id for the agent to each span.
    agent: ["agent.name", "external_agent_id"],
    metadata: ["metadata"],
    conversation: ["session.id"],
    requestModel: ["llm.request.model_name"],
    responseModel: ["llm.response.model_name"],
    model: ["llm.model_name"],
    parameters: ["llm.invocation_parameters"],
    provider: ["llm.provider", "llm.system"],
    finish: ["llm.finish_reason"],
    inputTokens: ["llm.token_count.prompt"],
    outputTokens: ["llm.token_count.completion"],
    totalTokens: ["llm.token_count.total"],
    cachedTokens: ["llm.token_count.prompt_details.cache_read", "llm.token_count.prompt_details.cache_input"],
    cacheWriteTokens: ["llm.token_count.prompt_details.cache_write"],
    reasoningTokens: ["llm.token_count.completion_details.reasoning"],
    cost: ["llm.cost.total"],
    inputMessages: words(`
      llm.input_messages.*.message.role llm.input_messages.*.message.content
      llm.prompts.*.prompt.text
    `),
    outputMessages: words(`
      llm.output_messages.*.message.role llm.output_messages.*.message.content
      llm.output_messages.*.message.contents.0.message_content.text
      llm.choices.*.completion.text
    `),
    toolDefinitions: ["llm.tools.*.tool.json_schema"],
    input: ["input.value", "llm.prompts"],
    output: ["output.value"],
    tool: ["tool.name", "tool_call.function.name"],
    callId: ["tool_call.id", "tool.id"],
    arguments: ["tool_call.function.arguments"],
    documents: words(`
      retrieval.documents.*.document.content retrieval.documents.*.document.id
      retrieval.documents
    `),
    instructions: ["llm.system_prompt"],
  },
  role: correct,
  derive: { agent: agentOf, model: bedrockModel, responseId },
  // In Spring AI 1.x, model classes run the tool loop and add the usage of earlier calls to each response.
  cumulative: ({ span }) => (span.named("llm.system") === "spring-ai" ? true : undefined),
  producers: [
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
      name: "OpenInference for LangChain4j",
      scopes: ["com.arize.langchain4j"],
      switches: [],
      cannot: [
        { what: "models", why: "the instrumentation's listeners of AI services do not know the model" },
        {
          what: "agent_names",
          why: "all spans of AI services have the name AiService.chat, so they do not name the agent",
        },
      ],
      page: "go-java-rust.md",
    },
    {
      name: "OpenInference for model clients (Python)",
      scopes: words(`
        openinference.instrumentation.openai openinference.instrumentation.anthropic
        openinference.instrumentation.bedrock
      `),
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
  ],
};

/**
 * Returns the response id of a call whose complete response is recorded. If a gateway's spans have the same response id, they belong to
 * this call.
 */
function responseId(facts: SpanFacts): string | undefined {
  if (facts.span.named("openinference.span.kind") !== "LLM") return undefined;
  return /^\{"id":\s*"([\w-]{12,96})"/.exec(facts.head("output.value") ?? "")?.[1];
}

/** Returns the model id in a request to Bedrock. The attribute for the model has a shorter form: `claude-haiku-4-5`. */
function bedrockModel(facts: SpanFacts): string | undefined {
  const id = /^\{"modelId":\s*"([^"]+)"/.exec(facts.head("input.value") ?? "")?.[1];
  const shortened = facts.span.named("llm.model_name");
  return typeof shortened === "string" && id?.includes(shortened) === true ? id : undefined;
}

/**
 * OpenInference's instrumentations choose the span kind from names of classes. Other attributes are more reliable than
 * the span kind.
 */
function correct(facts: SpanFacts, role: SpanRole): SpanRole {
  const { span } = facts;
  if (span.name.startsWith("handoff to ") && role === "tool") return "handoff";
  // Temporal's plugin of the OpenAI Agents SDK starts and runs activities: models and tools.
  if (role === "step" && span.name.startsWith("temporal:")) return "message";
  // A span of kind AGENT may have a tool name as attribute. It is the tool call if the span itself has this name, and otherwise a step that
  // runs the tool.
  if (role === "agent" && facts.has("tool")) return facts.text("tool") === span.name ? "tool" : "step";
  // If Instructor requests a structured object, the span has the kind CHAIN and the model's input, although it is a model call.
  if (
    role === "step" &&
    facts.has("inputMessages") &&
    facts.text("model") !== undefined &&
    facts.has("parameters")
  )
    return "call";
  return role;
}

/**
 * Returns the agent's name. The graph node is the agent's name only on agent spans; other spans have a generated name there. In AG2, the
 * sender of a chat stands for the user, so the recipient is the agent.
 */
function agentOf(facts: SpanFacts): string | undefined {
  const { span } = facts;
  const recipient = span.named("ag2.recipient.name");
  if (typeof recipient === "string") return recipient;
  if (span.named("openinference.span.kind") !== "AGENT" || facts.text("agent") !== undefined)
    return undefined;
  const node = span.named("graph.node.id");
  return typeof node === "string" ? node : undefined;
}
