import type { Adapter } from "../adapter-type.ts";
import {
  contentEvidence,
  genaiContent,
  onlyClient,
  openAiStreams,
  ownSpans,
  type Switch,
} from "../producer-type.ts";
import { rolesOf, words } from "../tables.ts";

const otelGenaiPython: readonly Switch[] = [
  {
    gives: contentEvidence,
    set: `${genaiContent}=SPAN_ONLY (or SPAN_AND_EVENT; EVENT_ONLY needs an OTLP log exporter as well)`,
  },
  openAiStreams,
];

/** OpenTelemetry's semantic conventions for generative AI, all generations of names. */
export const otelGenai: Adapter = {
  dialect: "otel-genai",
  markers: words("gen_ai.operation.name gen_ai.provider.name gen_ai.input.messages gen_ai.output.messages"),
  roles: {
    "gen_ai.operation.name": rolesOf({
      call: `
          chat text_completion text_completions generate_content completion acompletion generate
          response responses aresponses llm_request llm_call tool_selection realtime_inference
          chat.completions
        `,
      agent: "invoke_agent agent.run agent_call process_thread_run start_thread_run",
      workflow: "invoke_workflow workflow.run conversation initiate_chats",
      step: `
          speaker_selection await_human_input format invoke_generic_function execute_task
          agent_step chain plan framework task handle_conversation_turn create_message
          list_messages submit_tool_outputs user_prompt system_prompt schedule_tool_calls
          unknown transcription speech_generation speech speech_group
        `,
      setup: "create_agent create_thread",
      tool: "execute_tool tool.execute tool_call",
      retriever: "retrieval vector_db_retrieve search_memory",
      embedding: "embeddings embedding aembedding",
      reranker: "rerank",
      handoff: "handoff agent_handoff goto",
      guardrail: "guardrail_check apply_guardrail guardrail",
      evaluation: "evaluation",
      memory: `
          memory create_memory update_memory upsert_memory delete_memory create_memory_store
          delete_memory_store
        `,
    }),
    "gen_ai.span.kind": rolesOf({
      call: "llm",
      agent: "agent",
      tool: "tool",
      step: "task chain entry step prompt",
      workflow: "workflow",
      retriever: "retriever vector_db",
      embedding: "embedding",
      reranker: "reranker",
      guardrail: "guardrail",
      evaluation: "evaluator",
    }),
  },
  names: [
    { pattern: /^tools\/call /, role: "tool" },
    // An AI service of Quarkus LangChain4j is recognised only by its span name.
    { pattern: /^langchain4j\.aiservices\./, role: "agent", own: true },
  ],
  fields: {
    agent: ["gen_ai.agent.name"],
    workflow: ["gen_ai.workflow.name"],
    conversation: ["gen_ai.conversation.id", "gen_ai.thread.id"],
    requestModel: ["gen_ai.request.model", "gen_ai.request_model"],
    responseModel: ["gen_ai.response.model", "gen_ai.response_model"],
    provider: ["gen_ai.provider.name", "gen_ai.system"],
    responseId: ["gen_ai.response.id"],
    finish: ["gen_ai.response.finish_reasons", "gen_ai.response.finish_reason"],
    streamed: ["gen_ai.request.stream"],
    inputTokens: words(`
      gen_ai.usage.input_tokens gen_ai.usage.prompt_tokens gen_ai.usage.input
      gen_ai.aggregated_usage.input_tokens
    `),
    outputTokens: words(`
      gen_ai.usage.output_tokens gen_ai.usage.completion_tokens gen_ai.usage.output
      gen_ai.aggregated_usage.output_tokens
    `),
    totalTokens: ["gen_ai.usage.total_tokens", "gen_ai.usage.total"],
    cachedTokens: words(`
      gen_ai.usage.cache_read.input_tokens gen_ai.usage.cache_read_input_tokens
      gen_ai.usage.cache_read_tokens gen_ai.usage.cached_input_tokens
      gen_ai.usage.input_cached_tokens gen_ai.usage.cached_tokens
      gen_ai.usage.prompt_tokens_details.cached_tokens gen_ai.usage.input_tokens.cached
      gen_ai.usage.input_token_details.cached gen_ai.usage.details.cache_read_tokens
      gen_ai.usage.details.cache_read_input_tokens gen_ai.usage.details.cached_tokens
      gen_ai.usage.details.cached_content_tokens gen_ai.aggregated_usage.cache_read.input_tokens
    `),
    cacheWriteTokens: words(`
      gen_ai.usage.cache_write.input_tokens gen_ai.usage.cache_creation.input_tokens
      gen_ai.usage.cache_creation_input_tokens gen_ai.usage.cache_write_input_tokens
      gen_ai.usage.cache_write_tokens gen_ai.usage.cache_creation_tokens
      gen_ai.usage.details.cache_write_tokens gen_ai.usage.details.cache_creation_input_tokens
    `),
    reasoningTokens: words(`
      gen_ai.usage.reasoning.output_tokens gen_ai.usage.reasoning_tokens
      gen_ai.usage.reasoning_output_tokens gen_ai.usage.output_reasoning_tokens
      gen_ai.usage.completion_tokens_details.reasoning_tokens
      gen_ai.usage.output_tokens.reasoning gen_ai.usage.details.reasoning_tokens
      gen_ai.usage.details.thoughts_tokens gen_ai.usage.thoughts_tokens
      gen_ai.usage.experimental.reasoning_tokens
    `),
    longCacheWriteTokens: [
      "gen_ai.usage.details.ephemeral_1h_input_tokens",
      "tracejury.usage.long_cache_creation.input_tokens",
    ],
    serviceTier: words(`
      openai.response.service_tier gen_ai.openai.response.service_tier
      gen_ai.response.service_tier tracejury.response.service_tier gen_ai.service_tier
    `),
    requestedTier: words(`
      openai.request.service_tier gen_ai.openai.request.service_tier gen_ai.request.service_tier
      tracejury.request.service_tier
    `),
    usage: ["gen_ai.usage", "gen_ai.usage.raw"],
    cost: ["gen_ai.usage.cost", "operation.cost"],
    inputMessages: words(
      "gen_ai.input.messages gen_ai.input.messages.*.message.role gen_ai.input.messages.*.role",
    ),
    outputMessages: words(`
      gen_ai.output.messages gen_ai.output.messages.*.message.role gen_ai.output.messages.*.role
    `),
    instructions: ["gen_ai.system_instructions"],
    // Of Sentry's SDK, beside the text of the answer.
    outputCalls: ["gen_ai.response.tool_calls"],
    toolDefinitions: ["gen_ai.tool.definitions"],
    input: ["gen_ai.prompt", "gen_ai.request.messages"],
    output: ["gen_ai.completion", "gen_ai.response.content"],
    tool: ["gen_ai.tool.name"],
    callId: ["gen_ai.tool.call.id"],
    arguments: ["gen_ai.tool.call.arguments", "gen_ai.tool.arguments", "gen_ai.tool.input"],
    result: ["gen_ai.tool.call.result", "gen_ai.tool.message", "gen_ai.tool.result", "gen_ai.tool.output"],
    success: ["gen_ai.tool.success"],
    handoffFrom: ["gen_ai.handoff.from_agent"],
    handoffTo: ["gen_ai.handoff.to_agent", "gen_ai.transfer.target.name", "metadata.langgraph.goto"],
    graphNode: ["metadata.langgraph_node"],
    documents: ["gen_ai.retrieval.documents"],
    retrievalQuery: ["gen_ai.retrieval.query.text"],
    guardrail: ["gen_ai.guardrail.name"],
    triggered: ["gen_ai.guardrail.triggered"],
    errorType: ["error.type"],
    error: ["error.message"],
  },
  events: [{ name: "gen_ai.client.operation.exception" }],
  // ADK creates an additional span that summarises parallel tools.
  copies: ["execute_tool (merged"],
  producers: [
    {
      name: "Quarkus LangChain4j",
      scopes: ["io.quarkus.opentelemetry"],
      dialects: ["otel-genai"],
      switches: [
        { gives: ["query", "messages"], set: "quarkus.langchain4j.tracing.include-prompt=true" },
        { gives: ["answer"], set: "quarkus.langchain4j.tracing.include-completion=true" },
        { gives: ["tool_arguments"], set: "quarkus.langchain4j.tracing.include-tool-arguments=true" },
        { gives: ["tool_results"], set: "quarkus.langchain4j.tracing.include-tool-result=true" },
      ],
      cannot: [
        {
          what: "system_instructions",
          why: "gen_ai.prompt contains the system message and the question as one text",
        },
        { what: "tool_definitions", why: "the tools that a model was offered are not recorded" },
      ],
      page: "go-java-rust.md",
    },
    {
      name: "Droid",
      scopes: ["cli-agent-trace"],
      switches: [{ gives: contentEvidence, set: "OTEL_LOG_MESSAGE_CONTENT=true" }],
      cannot: [
        { what: "usage", why: "Droid records token counts only as metrics" },
        { what: "cost", why: "Droid records token counts only as metrics" },
      ],
      page: "coding.md",
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
          gives: contentEvidence,
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
      besides: ["openllmetry"],
      switches: [{ gives: contentEvidence, set: `${genaiContent}=span_only (no_content leaves them out)` }],
      page: "openai-agents-python.md",
    },
    {
      name: "OpenTelemetry for the OpenAI client (JavaScript)",
      scopes: ["@opentelemetry/instrumentation-openai", "@elastic/opentelemetry-instrumentation-openai"],
      switches: [
        {
          gives: contentEvidence,
          set: "new OpenAIInstrumentation({ captureMessageContent: true }) and an OTLP log exporter: contents arrive as log records",
        },
        { gives: ["usage", "cost"], set: "stream_options: { include_usage: true } on streamed requests" },
        ...ownSpans,
      ],
      cannot: onlyClient,
      page: "opentelemetry-genai.md",
    },
    {
      name: "OpenTelemetry GenAI conventions",
      scopes: ["*"],
      dialects: ["otel-genai"],
      besides: ["haystack", "spring-ai"],
      switches: [
        { gives: contentEvidence, set: `${genaiContent}=true (newer versions: SPAN_ONLY)` },
        ...ownSpans,
      ],
      page: "opentelemetry-genai.md",
    },
  ],
};
