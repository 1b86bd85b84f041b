import type { Adapter, JsonValue, Role, SpanFacts } from "../../src/adapt/adapter.ts";

/** Arize's OpenInference. */
export const openinference: Adapter = {
  dialect: "openinference",
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
    input: ["input.value"],
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
  derive: { requestModel, model: askedModel, agent: nodeAgent },
};

/** Kinds are chosen by names and classes; what a span carries knows better. */
function correct(facts: SpanFacts, role: Role): Role {
  const { span } = facts;
  if (span.name.startsWith("handoff to ") && role === "tool") return "handoff";
  if (role === "agent" && facts.has("tool")) return "tool";
  if (
    role === "call" &&
    /_prepare_|PromptBuilder|PromptTemplate/.test(span.name) &&
    !facts.has("inputTokens")
  )
    return "copy";
  return role;
}

/** The request's model stands in the call's parameters, `llm.model_name` then is the one that answered. */
function requestModel(facts: SpanFacts): string | undefined {
  const parameters = facts.span.named("llm.invocation_parameters");
  if (typeof parameters === "object" && parameters !== null && !Array.isArray(parameters)) {
    const { model, model_name, model_id } = parameters as Record<string, JsonValue>;
    return [model, model_name, model_id].find((name) => typeof name === "string");
  }
  const match =
    typeof parameters === "string" ? /"model(?:_name|_id|Id)?":\s*"([^"]+)"/.exec(parameters) : null;
  return match?.[1];
}

function askedModel(facts: SpanFacts): string | undefined {
  void facts;
  return undefined;
}

/** The node of a graph is an agent where the span is one; other spans have nodes too, with names made up. */
function nodeAgent(facts: SpanFacts): string | undefined {
  const { span } = facts;
  if (span.named("openinference.span.kind") !== "AGENT" || facts.text("agent") !== undefined)
    return undefined;
  const node = span.named("graph.node.id");
  return typeof node === "string" ? node : undefined;
}
