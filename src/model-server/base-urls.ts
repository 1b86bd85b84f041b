/**
 * Base URL of a provider, such as `https://api.openai.com/v1`. The agent calls the model server's address instead, and the server forwards
 * the calls to this URL.
 */
export interface Mount {
  /** Path segment that stands for the provider in the model server's address, such as `openai`. The provider's own path follows. */
  readonly name: string;
  /** Base URL of the provider, as it is configured in clients. */
  readonly base: URL;
}

/**
 * Environment variables for an agent, so that its model calls go to the model server, and the providers to which the server forwards the
 * calls.
 */
export interface ModelEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
}

interface BaseUrlVariable {
  readonly name: string;
  readonly mount: string;
  /** Base URL that clients use if no variable is set; null if clients have no default. */
  readonly usual: string | null;
}

const openAi = { mount: "openai", usual: "https://api.openai.com/v1" };
const anthropic = { mount: "anthropic", usual: "https://api.anthropic.com" };

/** Environment variables from which SDKs of providers and frameworks read their base URL. */
const baseUrlVariables: readonly BaseUrlVariable[] = [
  { name: "OPENAI_BASE_URL", ...openAi },
  { name: "OPENAI_API_BASE", ...openAi },
  { name: "ANTHROPIC_BASE_URL", ...anthropic },
  { name: "ANTHROPIC_API_BASE", ...anthropic },
  { name: "ANTHROPIC_API_URL", ...anthropic },
  { name: "GOOGLE_GEMINI_BASE_URL", mount: "gemini", usual: "https://generativelanguage.googleapis.com" },
  { name: "GEMINI_API_BASE", mount: "google", usual: "https://generativelanguage.googleapis.com/v1beta" },
  { name: "GOOGLE_VERTEX_BASE_URL", mount: "vertex", usual: null },
  { name: "AZURE_OPENAI_ENDPOINT", mount: "azure", usual: null },
  { name: "AZURE_API_BASE", mount: "azure", usual: null },
  { name: "OPENROUTER_BASE_URL", mount: "openrouter", usual: "https://openrouter.ai/api/v1" },
  { name: "GROQ_BASE_URL", mount: "groq", usual: "https://api.groq.com" },
  { name: "MISTRAL_BASE_URL", mount: "mistral", usual: "https://api.mistral.ai/v1" },
  { name: "DEEPSEEK_BASE_URL", mount: "deepseek", usual: "https://api.deepseek.com/v1" },
];

/** Returns the environment variables that send an agent's model calls, of all providers, to one address. */
export function replayVariables(env: NodeJS.ProcessEnv, baseUrl: string): Readonly<Record<string, string>> {
  const addresses = baseUrlVariables.map(({ name, usual }) => [
    name,
    `${baseUrl}${usual === null ? "" : pathOf(new URL(usual))}`,
  ]);
  return { ...Object.fromEntries(addresses), ...withoutProxy(env) };
}

/**
 * Returns the environment variables that send an agent's model calls to a model server, and the providers. For each provider, the server's
 * address is its base URL with another scheme and host, and with path segments before the path: `https://api.openai.com/v1` becomes
 * `http://127.0.0.1:PORT/r/CALL/openai/v1`.
 * @param origin origin of the model server
 * @param callId identifies the calls of one agent process; null for an agent with one address for all its calls
 */
export function modelEnvironment(
  env: NodeJS.ProcessEnv,
  origin: string,
  callId: string | null,
): ModelEnvironment {
  const mounts: Mount[] = [];
  const variables: Record<string, string> = {};
  const segment = callId === null ? "" : `/r/${callId}`;
  for (const { name, mount, usual } of baseUrlVariables) {
    const base = urlOf(env[name]) ?? urlOf(siblingOf(env, mount)) ?? urlOf(usual ?? undefined);
    if (base === null) continue;
    const known = mounts.find((one) => one.base.href === base.href && one.name.startsWith(mount));
    const others = mounts.filter((one) => one.name.startsWith(mount)).length;
    const used = known ?? { name: others === 0 ? mount : `${mount}-${others + 1}`, base };
    if (known === undefined) mounts.push(used);
    variables[name] = `${origin}${segment}/${used.name}${pathOf(base)}`;
  }
  return { variables: { ...variables, ...withoutProxy(env) }, mounts };
}

/** Returns the path of a provider's default base URL, for example `/v1` for OpenAI. */
export function usualPathOf(mount: string): string {
  const usual = baseUrlVariables.find((one) => one.mount === mount)?.usual ?? null;
  return usual === null ? "" : pathOf(new URL(usual));
}

/** Returns the value of another environment variable for the same provider. */
function siblingOf(env: NodeJS.ProcessEnv, mount: string): string | undefined {
  return baseUrlVariables
    .filter((one) => one.mount === mount)
    .map(({ name }) => env[name])
    .find((value) => urlOf(value) !== null);
}

function urlOf(text: string | undefined): URL | null {
  if (text === undefined || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "https:" || url.protocol === "http:" ? url : null;
}

/** Returns the path without a slash at its end, because base URLs are configured with and without this slash. */
export function pathOf(base: URL): string {
  return base.pathname.replace(/\/+$/, "");
}

/** Returns environment variables with which calls to this machine do not use an HTTP proxy. */
function withoutProxy(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const listed = (name: string): string =>
    withLoopback(env[name] ?? env["NO_PROXY"] ?? env["no_proxy"] ?? "");
  return { NO_PROXY: listed("NO_PROXY"), no_proxy: listed("no_proxy") };
}

function withLoopback(list: string): string {
  return [...new Set([...list.split(","), "127.0.0.1", "localhost"].map((host) => host.trim()))]
    .filter((host) => host !== "")
    .join(",");
}
