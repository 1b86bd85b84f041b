import type { JudgeServiceSettings, ProviderSettings } from "../settings.ts";

/** A judge model as written, taken apart. */
export interface ModelName {
  readonly provider: string;
  /** The provider's own id. */
  readonly id: string;
}

const builtIn: ReadonlyMap<string, ProviderSettings> = new Map([
  ["anthropic", { kind: "anthropic", baseUrl: null, keyEnv: null, auth: null }],
  ["openai", { kind: "openai", baseUrl: null, keyEnv: null, auth: null }],
]);

/**
 * `provider/model`: everything after the first slash is the provider's own id (`openrouter/anthropic/claude-…`). A bare name that
 * begins with `claude` is Anthropic's, else OpenAI's; AgentCI's `anthropic:` and `openai:` are understood.
 */
export function parseModel(written: string): ModelName {
  const prefixed = /^(anthropic|openai):(.+)$/.exec(written);
  if (prefixed?.[1] !== undefined && prefixed[2] !== undefined)
    return { provider: prefixed[1], id: prefixed[2] };
  const slash = written.indexOf("/");
  if (slash > 0) return { provider: written.slice(0, slash), id: written.slice(slash + 1) };
  return { provider: written.startsWith("claude") ? "anthropic" : "openai", id: written };
}

/** A provider's settings: declared ones come before the built-in ones of the same name. */
export function providerSettings(
  name: string,
  settings: Pick<JudgeServiceSettings, "providers">,
): ProviderSettings | undefined {
  return settings.providers.get(name) ?? builtIn.get(name);
}
