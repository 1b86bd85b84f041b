import type { Adapter, SpanRole, SpanFacts } from "../adapter-type.ts";
import { producers } from "./producers.ts";

/** Arize's OpenInference. */
export const openinference: Adapter = {
  dialect: "openinference",
  producers,
  markers: ["openinference.span.kind"],
  scopes: ["openinference.instrumentation.*", "@arizeai/openinference-*"],
  roles: [
    {
      attribute: "openinference.span.kind",
      roles: {
        llm: "call",
        agent: "agent",
        tool: "tool",
        chain: "step",
        prompt: "step",
        retriever: "retriever",
        embedding: "embedding",
        reranker: "reranker",
        guardrail: "guardrail",
        evaluator: "evaluation",
      },
    },
  ],
  fields: {
    agent: ["agent.name"],
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
    inputMessages: [
      "llm.input_messages.*.message.role",
      "llm.input_messages.*.message.content",
      "llm.prompts.*.prompt.text",
    ],
    outputMessages: [
      "llm.output_messages.*.message.role",
      "llm.output_messages.*.message.content",
      "llm.output_messages.*.message.contents.0.message_content.text",
      "llm.choices.*.completion.text",
    ],
    toolDefinitions: ["llm.tools.*.tool.json_schema"],
    input: ["input.value", "llm.prompts"],
    output: ["output.value"],
    tool: ["tool.name", "tool_call.function.name"],
    callId: ["tool_call.id", "tool.id"],
    arguments: ["tool_call.function.arguments"],
    documents: [
      "retrieval.documents.*.document.content",
      "retrieval.documents.*.document.id",
      "retrieval.documents",
    ],
    instructions: ["llm.system_prompt"],
  },
  role: correct,
  derive: { agent: nodeAgent, responseId },
};

/** The id of a response that is kept whole: what ties the call to the spans that a gateway has of it. */
function responseId(facts: SpanFacts): string | undefined {
  if (facts.span.named("openinference.span.kind") !== "LLM") return undefined;
  return /^\{"id":\s*"([\w-]{12,96})"/.exec(facts.head("output.value") ?? "")?.[1];
}

/** Kinds are chosen by names and classes; what a span carries knows better. */
function correct(facts: SpanFacts, role: SpanRole): SpanRole {
  const { span } = facts;
  if (span.name.startsWith("handoff to ") && role === "tool") return "handoff";
  if (role === "agent" && facts.has("tool")) return "tool";
  // Instructor's request for an object: a chain that holds what a model was asked.
  if (
    role === "step" &&
    facts.has("inputMessages") &&
    facts.text("model") !== undefined &&
    facts.has("parameters")
  )
    return "call";
  return role;
}

/** The node of a graph is an agent where the span is one; other spans have nodes too, with names made up. */
function nodeAgent(facts: SpanFacts): string | undefined {
  const { span } = facts;
  if (span.named("openinference.span.kind") !== "AGENT" || facts.text("agent") !== undefined)
    return undefined;
  const node = span.named("graph.node.id");
  return typeof node === "string" ? node : undefined;
}
