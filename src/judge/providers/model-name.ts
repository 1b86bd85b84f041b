import type { JudgeServiceSettings, ProviderSettings } from "../settings.ts";

/** Parts of a judge model's name. */
export interface ModelName {
  readonly provider: string;
  /** The provider's model id. */
  readonly id: string;
}

const builtIn: ReadonlyMap<string, ProviderSettings> = new Map([
  ["anthropic", { kind: "anthropic", baseUrl: null, keyEnv: null, auth: null }],
  ["openai", { kind: "openai", baseUrl: null, keyEnv: null, auth: null }],
]);

/**
 * Parses `provider/model`: the text after the first slash is the provider's model id
 * (`openrouter/anthropic/claude-…`). A name without a provider means Anthropic if the name begins with
 * `claude`, and otherwise OpenAI. AgentCI's `anthropic:` and `openai:` are supported.
 */
export function parseModel(written: string): ModelName {
  const prefixed = /^(anthropic|openai):(.+)$/.exec(written);
  if (prefixed?.[1] !== undefined && prefixed[2] !== undefined)
    return { provider: prefixed[1], id: prefixed[2] };
  const slash = written.indexOf("/");
  if (slash > 0) return { provider: written.slice(0, slash), id: written.slice(slash + 1) };
  return { provider: written.startsWith("claude") ? "anthropic" : "openai", id: written };
}

/**
 * Returns a provider's settings. Configured settings take precedence over built-in settings of the same
 * name.
 */
export function providerSettings(
  name: string,
  settings: Pick<JudgeServiceSettings, "providers">,
): ProviderSettings | undefined {
  return settings.providers.get(name) ?? builtIn.get(name);
}
