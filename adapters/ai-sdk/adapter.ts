import type { Adapter, JsonValue, SpanFacts } from "../../src/adapt/adapter.ts";

/** Vercel's AI SDK: its own `ai.*` attributes (versions 3 to 6, and 7's legacy integration). */
export const aiSdk: Adapter = {
  dialect: "ai-sdk",
  markers: ["ai.operationId", "ai.telemetry.functionId", "ai.toolCall.name"],
  scopes: ["ai"],
  roles: [
    {
      attribute: "ai.operationId",
      roles: {
        "ai.generateText": "agent",
        "ai.streamText": "agent",
        "ai.generateObject": "agent",
        "ai.streamObject": "agent",
        "ai.generateText.doGenerate": "call",
        "ai.streamText.doStream": "call",
        "ai.generateObject.doGenerate": "call",
        "ai.streamObject.doStream": "call",
        "ai.toolCall": "tool",
        "ai.embed": "step",
        "ai.embedMany": "step",
        "ai.embed.doEmbed": "embedding",
        "ai.embedMany.doEmbed": "embedding",
        "ai.rerank": "step",
        "ai.rerank.doRerank": "reranker",
      },
    },
  ],
  fields: {
    agent: ["ai.telemetry.functionId"],
    conversation: [
      "ai.telemetry.metadata.sessionId",
      "ai.telemetry.metadata.session_id",
      "ai.telemetry.metadata.threadId",
      "ai.settings.context.sessionId",
      "ai.settings.context.threadId",
    ],
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
    cachedTokens: fromProvider("cachedPromptTokens"),
    reasoningTokens: fromProvider("reasoningTokens"),
  },
};

/** Version 4 leaves these to the provider's metadata. */
function fromProvider(name: string): (facts: SpanFacts) => JsonValue | undefined {
  const pattern = new RegExp(`"${name}":(\\d+)`);
  return (facts) => {
    const own = facts.number(name === "cachedPromptTokens" ? "cachedTokens" : "reasoningTokens");
    const metadata = own === undefined ? facts.span.named("ai.response.providerMetadata") : undefined;
    const match = typeof metadata === "string" ? pattern.exec(metadata) : null;
    return own ?? (match === null ? undefined : Number(match[1]));
  };
}
