import type { JudgePort, JudgeUsage, Unavailable } from "../evaluate/judge/ask/port.ts";
import { failed } from "../evaluate/judge/ask/port.ts";
import { withRepair } from "../evaluate/judge/ask/repair.ts";
import type { VerdictCache } from "./cache/cache-file.ts";
import { cached } from "./cache/cached.ts";
import { type Clock, systemClock } from "./limits/clock.ts";
import { type Address, type Environment, findAddress } from "./providers/endpoints.ts";
import { createAddressGuard } from "../support/security/addresses/address-guard.ts";
import { directFetch } from "../support/http/send-request.ts";
import { parseModel } from "./providers/model-name.ts";
import type { Endpoint, Provider } from "./providers/provider.ts";
import { type JudgeCall, scheduled } from "./limits/scheduler.ts";
import type { JudgeServiceSettings } from "./settings.ts";

export interface JudgeSurroundings {
  readonly env: Environment;
  readonly clock?: Clock;
  /**
   * Private networks to which a provider's host name may resolve. Local addresses and local names in the configuration are always allowed.
   */
  readonly allowedNetworks?: readonly string[];
  /** Returns a random number from 0 to 1. */
  readonly random?: () => number;
  /** Returns the price of tokens in US dollars, by the provider's model id; null if unknown. */
  readonly price?: (modelId: string, usage: JudgeUsage) => number | null;
  readonly observe?: (call: JudgeCall) => void;
  readonly cache?: VerdictCache;
  /**
   * Receives, for each reply from the cache or from a concurrent equal request, the model and the usage of the original call; null if the
   * usage is unknown.
   */
  readonly onKept?: (model: string, usage: JudgeUsage | null) => void;
}

export interface JudgeProblem extends Unavailable {
  readonly model: string;
}

export interface ResolvedJudges {
  /** Port to the models, with limits, repair of replies and cache; "off" if judges are disabled. */
  readonly port: JudgePort | "off";
  /** Model of specs that name none. */
  readonly defaultModel: string;
  /** Models that cannot be called. With `--judge required`, a command that needs one of these models ends with an error. */
  readonly problems: readonly JudgeProblem[];
}

/**
 * Creates the port to judge models and lists the models that cannot be called.
 * @param models models of the specs; undefined is the default model
 */
export function resolveJudges(
  models: Iterable<string | undefined>,
  settings: JudgeServiceSettings,
  surroundings: JudgeSurroundings,
): ResolvedJudges {
  const defaultModel = settings.model ?? defaultModelOf(surroundings.env);
  if (settings.mode === "off") return { port: "off", defaultModel, problems: [] };
  const wanted = new Set([...models].map((it) => it ?? defaultModel));
  const problems = [...wanted].flatMap((model) => {
    const why = unavailableModel(model, settings, surroundings.env);
    return why === null ? [] : [{ model, ...why }];
  });
  return { port: makePort(settings, surroundings), defaultModel, problems };
}

/** Returns AgentCI's default: Anthropic's model, or OpenAI's if only OpenAI has a key or a base URL in the environment. */
function defaultModelOf(env: Environment): string {
  const can = (model: string): boolean => "address" in findAddress(model, { providers: new Map() }, env);
  const [first, second] = ["claude-sonnet-4-6", "gpt-4o"] as const;
  return !can(first) && can(second) ? second : first;
}

function unavailableModel(
  model: string,
  settings: JudgeServiceSettings,
  env: Environment,
): Unavailable | null {
  const found = findAddress(model, settings, env);
  return "unavailable" in found ? found.unavailable : null;
}

function makePort(settings: JudgeServiceSettings, surroundings: JudgeSurroundings): JudgePort {
  const { clock = systemClock, random = Math.random, price, observe, cache, onKept } = surroundings;
  const limited = scheduled(router(settings, surroundings, clock), {
    limits: settings,
    clock,
    random,
    providerOf: (model) => parseModel(model).provider,
    price: (model, usage) => price?.(parseModel(model).id, usage) ?? null,
    ...(observe === undefined ? {} : { observe }),
  });
  const repaired = withRepair(limited);
  if (cache === undefined) return repaired;
  // In the cache in the data folder, a reply is valid only for the provider's address from which it came. In a configured cache, which
  // several jobs may share, a reply is valid for any address, because gateways offer the same models.
  const addressOf = settings.isOwnCache
    ? (model: string) => addressIn(model, settings, surroundings.env)
    : undefined;
  return cached(repaired, cache, { onKept, addressOf });
}

function addressIn(model: string, settings: JudgeServiceSettings, env: Environment): string {
  const found = findAddress(model, settings, env);
  return "address" in found ? (found.address.baseUrl ?? "") : "";
}

/** Returns a port that sends each request to its model's provider. Providers are created on first use. */
function router(settings: JudgeServiceSettings, surroundings: JudgeSurroundings, clock: Clock): JudgePort {
  const providers = new Map<string, Promise<Provider>>();
  const { allowedNetworks = [] } = surroundings;
  const send = directFetch({ guard: createAddressGuard({ allowedNetworks, localNames: true }) });
  const provide = (address: Address): Promise<Provider> => {
    const { kind, ...where } = address;
    const endpoint = { ...where, fetch: send, now: () => clock.now() };
    const made = providers.get(address.name) ?? makeProvider(kind, endpoint);
    providers.set(address.name, made);
    return made;
  };
  return {
    unavailable: (model) => unavailableModel(model, settings, surroundings.env),
    ask: async (request) => {
      const found = findAddress(request.model, settings, surroundings.env);
      if ("unavailable" in found) return failed("unauthorized", found.unavailable.message);
      const provider = await provide(found.address);
      return provider.ask(parseModel(request.model).id, request);
    },
  };
}

/** Loads a client library at its first use, because loading Anthropic's library takes longer than most replays. */
async function makeProvider(kind: Address["kind"], endpoint: Endpoint): Promise<Provider> {
  if (kind === "anthropic") return (await import("./providers/anthropic.ts")).anthropicProvider(endpoint);
  return (await import("./providers/openai.ts")).openaiProvider(endpoint);
}

/** Returns an error message if `--judge required` is set and a model cannot be called; otherwise null. */
export function refusal(
  mode: JudgeServiceSettings["mode"],
  problems: readonly JudgeProblem[],
): string | null {
  if (mode !== "required" || problems.length === 0) return null;
  const lines = problems.map((it) => `  ${it.message}: ${it.remedy}`);
  return ["--judge required, but these judges cannot be called:", ...lines].join("\n");
}
