import type { Adapter, Field, JsonValue, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { rolesOf, words } from "../tables.ts";

/** Vercel's AI SDK: its own `ai.*` attributes (versions 3 to 6, and 7's legacy integration). */
export const aiSdk: Adapter = {
  dialect: "ai-sdk",
  markers: ["ai.operationId", "ai.telemetry.functionId", "ai.toolCall.name"],
  scopes: ["ai"],
  roles: {
    "ai.operationId": rolesOf({
      agent: "ai.generateText ai.streamText ai.generateObject ai.streamObject",
      call: `
          ai.generateText.doGenerate ai.streamText.doStream ai.generateObject.doGenerate
          ai.streamObject.doStream
        `,
      tool: "ai.toolCall",
      step: "ai.embed ai.embedMany ai.rerank",
      embedding: "ai.embed.doEmbed ai.embedMany.doEmbed",
      reranker: "ai.rerank.doRerank",
    }),
  },
  // Spans in which opencode and Kilo Code read their own files. Some files do not exist, so such spans may fail although the run does not.
  names: [{ pattern: /^FileSystem\.\w+$/, role: "setup", own: true }],
  fields: {
    agent: ["ai.telemetry.functionId"],
    conversation: words(`
      ai.telemetry.metadata.sessionId ai.telemetry.metadata.session_id
      ai.telemetry.metadata.threadId ai.settings.context.sessionId ai.settings.context.threadId
    `),
    requestModel: ["ai.model.id"],
    responseModel: ["ai.response.model"],
    provider: ["ai.model.provider"],
    responseId: ["ai.response.id"],
    finish: ["ai.response.finishReason", "ai.finishReason"],
    inputTokens: ["ai.usage.inputTokens", "ai.usage.promptTokens"],
    outputTokens: ["ai.usage.outputTokens", "ai.usage.completionTokens"],
    totalTokens: ["ai.usage.totalTokens"],
    cachedTokens: ["ai.usage.cachedInputTokens", "ai.usage.inputTokenDetails.cacheReadTokens"],
    cacheWriteTokens: ["ai.usage.inputTokenDetails.cacheWriteTokens"],
    reasoningTokens: ["ai.usage.reasoningTokens", "ai.usage.outputTokenDetails.reasoningTokens"],
    inputMessages: ["ai.prompt.messages"],
    outputText: ["ai.response.text", "ai.response.object", "ai.result.text", "ai.result.object"],
    outputCalls: ["ai.response.toolCalls", "ai.result.toolCalls"],
    toolDefinitions: ["ai.prompt.tools"],
    input: ["ai.prompt"],
    tool: ["ai.toolCall.name"],
    callId: ["ai.toolCall.id"],
    arguments: ["ai.toolCall.args"],
    result: ["ai.toolCall.result"],
  },
  derive: {
    cachedTokens: fromProvider("cachedTokens", "cachedPromptTokens|cache_?read_?input_?tokens"),
    cacheWriteTokens: fromProvider("cacheWriteTokens", "cache_?(?:creation|write)_?input_?tokens"),
    reasoningTokens: fromProvider("reasoningTokens", "reasoningTokens"),
    longCacheWriteTokens: fromProvider("longCacheWriteTokens", "ephemeral_?1h_?input_?tokens"),
    serviceTier: ({ span }) => {
      const metadata = span.named(METADATA);
      return typeof metadata === "string" ? /"service_?tier":"(\w+)"/i.exec(metadata)?.[1] : undefined;
    },
  },
  apart: (facts) => ({ cached: passesCountOn(facts) }),
  producers: [
    {
      name: "AI SDK 5 and 6",
      scopes: ["ai"],
      switches: [
        {
          gives: contentEvidence,
          bySide: true,
          set: "experimental_telemetry: { isEnabled: true, recordInputs: true, recordOutputs: true }",
        },
        { gives: ["session_ids"], set: "experimental_telemetry: { metadata: { sessionId } }" },
        { gives: ["agent_names"], set: "experimental_telemetry: { functionId: name }" },
      ],
      page: "ai-sdk.md",
    },
    {
      name: "opencode",
      scopes: ["opencode"],
      switches: [{ gives: ["model_calls", "usage", "answer"], set: "OTEL_BSP_SCHEDULE_DELAY=100" }],
      page: "coding.md",
    },
    {
      name: "AI SDK 7",
      scopes: ["gen_ai"],
      switches: [
        {
          gives: contentEvidence,
          bySide: true,
          set: "telemetry: { recordInputs: true, recordOutputs: true }",
        },
        {
          gives: ["session_ids"],
          set: "telemetry: { includeRuntimeContext: { sessionId: true } } and runtimeContext: { sessionId }",
        },
        { gives: ["agent_names"], set: "telemetry: { functionId: name }" },
      ],
      page: "ai-sdk.md",
    },
  ],
};

const METADATA = "ai.response.providerMetadata";

/** Returns a function that reads a count from the provider's metadata. Used if the SDK itself does not report the count. */
function fromProvider(field: Field, names: string): (facts: SpanFacts) => JsonValue | undefined {
  const pattern = new RegExp(`"(?:${names})":\\s*(\\d+)`, "i");
  return (facts) => {
    const own = facts.number(field);
    const metadata = own === undefined ? facts.span.named(METADATA) : undefined;
    const match = typeof metadata === "string" ? pattern.exec(metadata) : null;
    return own ?? (match === null ? undefined : Number(match[1]));
  };
}

/**
 * Whether the SDK's input count is the provider's unchanged count. The counts of Anthropic and Bedrock exclude cached tokens, and some
 * versions of the SDK do not add these.
 */
function passesCountOn(facts: SpanFacts): boolean {
  const metadata = facts.span.named(METADATA);
  const match = typeof metadata === "string" ? /"input_?tokens":\s*(\d+)/i.exec(metadata) : null;
  return match !== null && Number(match[1]) === facts.number("inputTokens");
}
