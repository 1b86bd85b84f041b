import type { JudgeServiceSettings, ProviderSettings } from "../settings.ts";

export interface ModelName {
  readonly provider: string;
  /** The provider's id of the model. */
  readonly id: string;
}

const builtIn: ReadonlyMap<string, ProviderSettings> = new Map([
  ["anthropic", { kind: "anthropic", baseUrl: null, keyEnv: null, auth: null }],
  ["openai", { kind: "openai", baseUrl: null, keyEnv: null, auth: null }],
]);

/**
 * Parses `provider/model`. The text after the first slash is the provider's model id: `openrouter/anthropic/claude-…`. Without a provider:
 * Anthropic if the name begins with `claude`, otherwise OpenAI. Also accepts AgentCI's `anthropic:` and `openai:`.
 */
export function parseModel(written: string): ModelName {
  const prefixed = /^(anthropic|openai):(.+)$/.exec(written);
  if (prefixed?.[1] !== undefined && prefixed[2] !== undefined)
    return { provider: prefixed[1], id: prefixed[2] };
  const slash = written.indexOf("/");
  if (slash > 0) return { provider: written.slice(0, slash), id: written.slice(slash + 1) };
  return { provider: written.startsWith("claude") ? "anthropic" : "openai", id: written };
}

/** Returns a provider's settings: configured, otherwise built-in. Undefined if the provider is unknown. */
export function providerSettings(
  name: string,
  settings: Pick<JudgeServiceSettings, "providers">,
): ProviderSettings | undefined {
  return settings.providers.get(name) ?? builtIn.get(name);
}
