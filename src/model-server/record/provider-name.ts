/** `gen_ai.provider.name` of providers that speak another one's protocol, by the end of their host names. */
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

/** Who serves the models at this host; the protocol's own provider for a host that is not known. */
export function providerName(host: string, protocolProvider: string): string {
  const known = providersByHost.find(([end]) => host === end || host.endsWith(`.${end}`));
  return known?.[1] ?? protocolProvider;
}
