/** `gen_ai.provider.name` of providers that use another provider's protocol, by the end of their host names. */
const providersByHost: readonly (readonly [host: string, provider: string])[] = [
  ["openai.azure.com", "azure.ai.openai"],
  ["cognitiveservices.azure.com", "azure.ai.openai"],
  ["services.ai.azure.com", "azure.ai.inference"],
  ["groq.com", "groq"],
  ["deepseek.com", "deepseek"],
  ["mistral.ai", "mistral_ai"],
  ["x.ai", "x_ai"],
  ["perplexity.ai", "perplexity"],
  ["openrouter.ai", "openrouter"],
  ["aiplatform.googleapis.com", "gcp.vertex_ai"],
  ["amazonaws.com", "aws.bedrock"],
];

/** Returns the provider at this host; for an unknown host, the provider that defined the protocol. */
export function providerName(host: string, protocolProvider: string): string {
  const known = providersByHost.find(([end]) => host === end || host.endsWith(`.${end}`));
  return known?.[1] ?? protocolProvider;
}
