import type { Adapter, JsonValue, SpanRole, SpanFacts } from "../adapter-type.ts";
import { contentEvidence, openAiStreams, type Switch } from "../producer-type.ts";
import { rolesOf, words } from "../tables.ts";

const traceloop: readonly Switch[] = [
  { gives: contentEvidence, set: "TRACELOOP_TRACE_CONTENT=true (JavaScript also: traceContent: true)" },
  {
    gives: ["session_ids"],
    set: "Traceloop.set_association_properties({ session_id }) (JavaScript: withAssociationProperties)",
  },
  { gives: ["agent_names"], set: "@agent(name=…) around each agent (JavaScript: withAgent({ name }, …))" },
  openAiStreams,
];

/** Traceloop's OpenLLMetry, with the attribute names before and after its change to OpenTelemetry's conventions. */
export const openllmetry: Adapter = {
  dialect: "openllmetry",
  markers: words(`
    traceloop.span.kind traceloop.entity.name traceloop.entity.path traceloop.workflow.name
    llm.request.type gen_ai.is_streaming llm.is_streaming
  `),
  scopes: ["@traceloop/*", "traceloop.tracer"],
  roles: {
    "traceloop.span.kind": rolesOf({
      workflow: "workflow",
      step: "task",
      agent: "agent",
      tool: "tool",
      handoff: "handoff",
      session: "session",
      unknown: "server client",
    }),
    "llm.request.type": {
      chat: "call",
      completion: "call",
      response: "call",
      embedding: "embedding",
      rerank: "reranker",
    },
  },
  fields: {
    workflow: ["traceloop.workflow.name"],
    graphPath: ["traceloop.association.properties.langgraph_checkpoint_ns"],
    metadata: ["traceloop.association.properties.metadata"],
    conversation: words(`
      traceloop.association.properties.session_id traceloop.association.properties.thread_id
      traceloop.association.properties.conversation_id
    `),
    totalTokens: ["llm.usage.total_tokens"],
    inputTokens: ["llm.usage.prompt_tokens"],
    outputTokens: ["llm.usage.completion_tokens"],
    cachedTokens: ["llm.usage.cache_read_input_tokens"],
    cacheWriteTokens: ["llm.usage.cache_creation_input_tokens"],
    finish: ["llm.response.finish_reason", "llm.response.stop_reason"],
    streamed: ["llm.is_streaming"],
    inputMessages: ["gen_ai.prompt.*.role", "gen_ai.prompt.*.content"],
    outputMessages: words(`
      gen_ai.completion.*.role gen_ai.completion.*.content gen_ai.completion.*.tool_calls.0.name
      gen_ai.completion.*.function_call.name
    `),
    toolDefinitions: ["llm.request.functions.*.name"],
    input: ["traceloop.entity.input", "gen_ai.task.input"],
    output: ["traceloop.entity.output", "gen_ai.task.output"],
    handoffFrom: ["langgraph.command.source_node"],
    handoffTo: ["langgraph.command.goto_node"],
    handoffs: ["openai.agent.handoffs"],
    guardrail: ["gen_ai.guardrail.name"],
  },
  names: [
    { pattern: /\.workflow$/, role: "workflow" },
    { pattern: /\.agent$/, role: "agent" },
    { pattern: /\.tool$/, role: "tool" },
    { pattern: /\.task$/, role: "step" },
    { pattern: /\.handoff$/, role: "handoff" },
  ],
  role: correct,
  // Anthropic's API excludes cached tokens from the input count, and the JavaScript instrumentation reports this count unchanged.
  apart: ({ span }) => ({ cached: span.scopeName === "@traceloop/instrumentation-anthropic" }),
  derive: { agent: entityOf("agent"), tool: entityOf("tool") },
  producers: [
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
  ],
};

function kindOf(facts: SpanFacts): JsonValue | undefined {
  return facts.span.named("traceloop.span.kind");
}

/** Corrects the role of a span with an agent operation and the kind `workflow`: it is a workflow that encloses the agent. */
function correct(facts: SpanFacts, role: SpanRole): SpanRole {
  if (role === "agent" && kindOf(facts) === "workflow") return "workflow";
  return role;
}

/**
 * Returns a function that reads the entity name if the span has this kind. On agent spans it is the agent's name, on tool spans the tool's
 * name.
 */
function entityOf(kind: string): (facts: SpanFacts) => JsonValue | undefined {
  return (facts) => (kindOf(facts) === kind ? facts.span.named("traceloop.entity.name") : undefined);
}
