import { replayVariables } from "../../../model-server/base-urls.ts";

/** API keys that SDKs require when they start. Each list contains the alternative names of one key. */
const keys: readonly (readonly string[])[] = [
  ["OPENAI_API_KEY"],
  ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  ["GOOGLE_GENERATIVE_AI_API_KEY"],
  ["AZURE_OPENAI_API_KEY"],
];
const PLACEHOLDER = "tracejury-recorded";

/**
 * Returns environment variables for an agent, so that its model calls go to `baseUrl`: base URLs, and placeholders for missing API keys.
 */
export function playbackVariables(env: NodeJS.ProcessEnv, baseUrl: string): Readonly<Record<string, string>> {
  const own: Record<string, string> = { ...replayVariables(env, baseUrl) };
  for (const [name, ...others] of keys)
    if (name !== undefined && ![name, ...others].some((one) => isSet(env[one]))) own[name] = PLACEHOLDER;
  return own;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
