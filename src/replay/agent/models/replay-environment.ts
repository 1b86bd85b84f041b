/** Where SDKs, and frameworks above them, look for the address of a provider, with the path that they expect behind it. */
const addresses: readonly (readonly [name: string, path: string])[] = [
  ["OPENAI_BASE_URL", "/v1"],
  ["OPENAI_API_BASE", "/v1"],
  ["ANTHROPIC_BASE_URL", ""],
  ["ANTHROPIC_API_BASE", ""],
  ["ANTHROPIC_API_URL", ""],
  ["GOOGLE_GEMINI_BASE_URL", ""],
  ["GOOGLE_VERTEX_BASE_URL", ""],
  ["GEMINI_API_BASE", ""],
  ["AZURE_OPENAI_ENDPOINT", ""],
  ["AZURE_API_BASE", ""],
  ["OPENROUTER_BASE_URL", "/v1"],
  ["GROQ_BASE_URL", ""],
  ["MISTRAL_BASE_URL", "/v1"],
  ["DEEPSEEK_BASE_URL", "/v1"],
];

/** Keys without which SDKs do not start. A list stands for one key under several names: one of them is enough. */
const keys: readonly (readonly string[])[] = [
  ["OPENAI_API_KEY"],
  ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  ["GOOGLE_GENERATIVE_AI_API_KEY"],
  ["AZURE_OPENAI_API_KEY"],
];
const PLACEHOLDER = "tracejury-recorded";
const LOOPBACK = ["127.0.0.1", "localhost"];

/** The environment of an agent whose model calls go to `baseUrl`, with placeholders for the keys that are not set. */
export function replayEnvironment(env: NodeJS.ProcessEnv, baseUrl: string): NodeJS.ProcessEnv {
  const own: NodeJS.ProcessEnv = { ...env };
  for (const [name, path] of addresses) own[name] = `${baseUrl}${path}`;
  for (const [name, ...others] of keys)
    if (name !== undefined && ![name, ...others].some((one) => isSet(env[one]))) own[name] = PLACEHOLDER;
  for (const name of ["NO_PROXY", "no_proxy"]) own[name] = withLoopback(env[name] ?? env["NO_PROXY"] ?? "");
  return own;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

function withLoopback(hosts: string): string {
  const known = hosts.split(",").filter((host) => host.trim() !== "");
  return [...known, ...LOOPBACK.filter((host) => !known.includes(host))].join(",");
}
