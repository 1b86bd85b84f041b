/** Name under which a price is looked up. If `provider` is null, the price table determines the provider from the model. */
export interface ModelName {
  readonly provider: string | null;
  readonly model: string;
}

/** Names of providers in telemetry and gateways, mapped to their names in the price table. A name that is not listed is used unchanged. */
const providers: ReadonlyMap<string, string> = new Map([
  ["aws.bedrock", "aws"],
  ["aws_bedrock", "aws"],
  ["amazon_bedrock", "aws"],
  ["bedrock", "aws"],
  ["amazon", "aws"],
  ["azure.ai.openai", "azure"],
  ["azure.ai.inference", "azure"],
  ["azure_openai", "azure"],
  ["azure_ai", "azure"],
  ["az.ai.openai", "azure"],
  ["az.ai.inference", "azure"],
  ["gcp.gemini", "google"],
  ["gcp.gen_ai", "google"],
  ["gcp.vertex_ai", "google"],
  ["google_genai", "google"],
  ["google_vertexai", "google"],
  ["vertex_ai", "google"],
  ["vertexai", "google"],
  ["gemini", "google"],
  ["mistral_ai", "mistral"],
  ["mistralai", "mistral"],
  ["x_ai", "x-ai"],
  ["xai", "x-ai"],
  ["moonshot_ai", "moonshotai"],
  ["together_ai", "together"],
  ["fireworks_ai", "fireworks"],
]);

/** Providers that may be a prefix of a model name, as in `provider/model` or `provider:model`. */
const prefixes: ReadonlySet<string> = new Set([
  ...providers.keys(),
  "openai",
  "anthropic",
  "google",
  "aws",
  "azure",
  "mistral",
  "cohere",
  "groq",
  "deepseek",
  "perplexity",
  "together",
  "fireworks",
  "openrouter",
  "x-ai",
  "cerebras",
  "moonshotai",
]);

/** Names of model servers on the user's own hardware. No price table lists their models. */
const local: ReadonlySet<string> = new Set([
  "ollama",
  "vllm",
  "lmstudio",
  "lm_studio",
  "llamacpp",
  "llama.cpp",
  "localai",
]);

/** Matches a path before a model's name, such as `publishers/google/models/`. The path is not part of the name. */
const PATH = /^(?:models|publishers\/[^/]+\/models|projects\/.*\/models|accounts\/[^/]+\/models)\//;
const ARN = /^arn:aws[^:]*:bedrock:[^:]*:[^:]*:(?:foundation-model|inference-profile)\//;
const BEDROCK =
  /^(?:(?:us|us-gov|eu|apac|global|jp|au|ca|sa)\.)?(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek|openai|qwen|writer|stability)\./;
const BEDROCK_VERSION = /-v\d+(?::\d+)?$|:\d+$/;
const DATE = /[-@](?:\d{4}-\d{2}-\d{2}|\d{8})$/;

/**
 * Returns the names under which a price table may list a model, best first:
 * 1. the unchanged name with its provider,
 * 2. the unchanged name without a provider,
 * 3. the name without the gateway's prefix,
 * 4. the name without Bedrock's region, vendor and version,
 * 5. the name without the date.
 * Empty for models that run locally.
 */
export function modelNames(provider: string | null, model: string): readonly ModelName[] {
  const given = provider?.trim().toLowerCase() ?? null;
  const written = model.trim();
  if (written === "" || (given !== null && local.has(given)) || local.has(prefixOf(written).prefix))
    return [];
  const own = given === null ? null : (providers.get(given) ?? given);
  const names: ModelName[] = [];
  const add = (providerName: string | null, name: string): void => {
    if (name === "" || names.some((it) => it.provider === providerName && it.model === name)) return;
    names.push({ provider: providerName, model: name });
  };
  const addFor = (hint: string | null, name: string): void => {
    if (own !== null) add(own, name);
    if (hint !== null) add(hint, name);
    add(null, name);
  };
  for (const { hint, name } of spellings(written)) addFor(hint, name);
  for (const { hint, name } of spellings(written)) addFor(hint, name.replace(DATE, ""));
  return names;
}

interface Spelling {
  readonly hint: string | null;
  readonly name: string;
}

function spellings(written: string): readonly Spelling[] {
  const found: Spelling[] = [];
  let hint: string | null = null;
  let name = written;
  for (let depth = 0; depth < 4; depth++) {
    if (ARN.test(name) || BEDROCK.test(name)) hint = "aws";
    found.push({ hint, name });
    const { prefix, rest } = prefixOf(name);
    const next = name.replace(PATH, "").replace(ARN, "");
    if (next !== name) name = next;
    else if (prefixes.has(prefix)) {
      hint = providers.get(prefix) ?? prefix;
      name = rest;
    } else break;
  }
  if (BEDROCK.test(name))
    found.push({ hint: null, name: name.replace(BEDROCK, "").replace(BEDROCK_VERSION, "") });
  return found;
}

/** Splits a model name into prefix and name: `openai/gpt-4o` or `openai:gpt-4o` gives `openai` and `gpt-4o`. */
function prefixOf(name: string): { readonly prefix: string; readonly rest: string } {
  const cut = name.search(/[/:]/);
  return cut === -1
    ? { prefix: "", rest: name }
    : { prefix: name.slice(0, cut).toLowerCase(), rest: name.slice(cut + 1) };
}
