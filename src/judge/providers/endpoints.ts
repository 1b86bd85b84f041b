import type { Unavailable } from "../../evaluate/judge/ask/port.ts";
import { parseModel, providerSettings } from "./model-name.ts";
import type { Endpoint } from "./provider.ts";
import type { JudgeServiceSettings, ProviderSettings } from "../settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Connection settings of a provider: an `Endpoint` without fetch and clock. */
export type Address = Pick<Endpoint, "name" | "baseUrl" | "key" | "auth"> & {
  readonly kind: ProviderSettings["kind"];
};

export type AddressFinding = { readonly address: Address } | { readonly unavailable: Unavailable };

/** Returns address and key of a model's provider, or why the model cannot be called. Keys come only from environment variables. */
export function findAddress(
  model: string,
  settings: Pick<JudgeServiceSettings, "providers">,
  env: Environment,
): AddressFinding {
  const { provider, id } = parseModel(model);
  const found = providerSettings(provider, settings);
  if (found === undefined || id === "") return { unavailable: unknownProvider(model, provider, settings) };
  const declared = settings.providers.has(provider);
  const baseUrl = found.baseUrl ?? baseUrlFromEnv(found.kind, declared, env);
  if (baseUrl !== null && !isHttpUrl(baseUrl))
    return { unavailable: badAddress(provider, found.baseUrl === null ? baseUrlVariable(found.kind) : null) };
  const { key, bearer, variable } = declared ? namedKey(found, env) : builtInKey(found.kind, env);
  if (key === null && variable !== null && (declared || baseUrl === null))
    return { unavailable: { message: `${model} needs a key`, remedy: keyRemedy(provider, variable) } };
  return {
    address: {
      name: provider,
      kind: found.kind,
      baseUrl,
      key,
      auth: found.auth ?? (bearer ? "bearer" : null),
    },
  };
}

/** Returns how to make a judge available: the key of this provider, or the settings that choose a model of another provider. */
function keyRemedy(provider: string, variable: string): string {
  const other = provider === "openai" ? "anthropic/claude-sonnet-4-6" : "openai/gpt-4o";
  return `set ${variable}, or choose a model of another provider with --set judge.model=${other} (judge.model in the configuration; if the spec names a model, judge_config.model there)`;
}

function baseUrlFromEnv(kind: ProviderSettings["kind"], declared: boolean, env: Environment): string | null {
  if (declared) return null;
  return set(env, baseUrlVariable(kind));
}

function baseUrlVariable(kind: ProviderSettings["kind"]): string {
  return kind === "anthropic" ? "ANTHROPIC_BASE_URL" : "OPENAI_BASE_URL";
}

interface Key {
  readonly key: string | null;
  readonly bearer: boolean;
  /** Environment variable with the key; null if no key is needed. */
  readonly variable: string | null;
}

function namedKey(found: ProviderSettings, env: Environment): Key {
  const key = found.keyEnv === null ? null : set(env, found.keyEnv);
  return { key, bearer: false, variable: found.keyEnv };
}

function builtInKey(kind: ProviderSettings["kind"], env: Environment): Key {
  if (kind === "openai")
    return { key: set(env, "OPENAI_API_KEY"), bearer: false, variable: "OPENAI_API_KEY" };
  const key = set(env, "ANTHROPIC_API_KEY");
  const token = key === null ? set(env, "ANTHROPIC_AUTH_TOKEN") : null;
  return { key: key ?? token, bearer: token !== null, variable: "ANTHROPIC_API_KEY" };
}

function set(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === "" ? null : value;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function unknownProvider(
  model: string,
  provider: string,
  settings: Pick<JudgeServiceSettings, "providers">,
): Unavailable {
  const known = ["anthropic", "openai", ...settings.providers.keys()].join(", ");
  return {
    message: `the judge model "${model}" names no known provider (known providers: ${known})`,
    remedy: `declare judge.providers.${provider} in the configuration, or write anthropic/… or openai/…`,
  };
}

/** @param variable environment variable with the address; null if the configuration has the address */
function badAddress(provider: string, variable: string | null): Unavailable {
  return {
    message: `the address of judge provider ${provider} is not an http(s) URL`,
    remedy: `correct ${variable ?? `judge.providers.${provider}.base_url`}`,
  };
}
