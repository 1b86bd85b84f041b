import { calcPrice, findProvider, type ModelPrice, type TieredPrices } from "@pydantic/genai-prices";
import type { Usage } from "../run.ts";
import { type ModelName, modelNames } from "./model-names.ts";
import { priceOf, type TieredPrice, type TokenPrices } from "./token-prices.ts";

/** Version of the bundled price table. A test compares it with the version of the installed package. */
export const vendorTableVersion = "0.1.8";
const RELEASED = "2026-09-23";

/**
 * Vendors' prices from `@pydantic/genai-prices`. The package is used only to find the model's prices. `priceOf` multiplies and adds them,
 * because it is fast enough for every model call.
 */
export const vendorTable: PriceTable = {
  source: `genai-prices ${vendorTableVersion} (${RELEASED})`,

  find(name, atUnixMs) {
    const found = look(name, atUnixMs);
    return found === null ? undefined : tokenPrices(found.model_price);
  },

  variesOverTime(name) {
    return Array.isArray(look(name, 0)?.model.prices);
  },
};

/**
 * Configured prices of one model, in US dollars per million tokens. The defaults: for cached or cache-write input, `input`; for one-hour
 * cache writes, `cache_write`; for reasoning, `output`.
 */
export interface PriceOverride {
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly cache_write?: number;
  /** Price of input tokens that are written to a one-hour cache. */
  readonly cache_write_1h?: number;
  readonly reasoning?: number;
  /** Price factors by service tier, such as `{ batch: 0.5, priority: 2 }`. */
  readonly service_tiers?: Readonly<Record<string, number>>;
}

/** Configured prices by model name, or by `provider/model`. */
export type PriceOverrides = Readonly<Record<string, PriceOverride>>;

export interface Price {
  readonly usd: number;
  /** Name and date of the price table, or "config" for prices from the configuration. */
  readonly source: string;
  /** Properties of the call for which the table has no price, such as a service tier. The default price was used for them. */
  readonly unpriced: readonly string[];
}

/**
 * Returns the price of one model call in US dollars. Returns null if the model is unknown, if a token count that is needed is unknown, or
 * if token counts contradict each other. `tier`: the service tier; null or absent for the provider's default.
 */
export type Pricer = (
  provider: string | null,
  model: string,
  usage: Usage,
  atUnixMs: number,
  tier?: string | null,
) => Price | null;

interface Found {
  /** Returns the prices at a given time; undefined if neither the configuration nor the table lists the model. */
  readonly prices: ((atUnixMs: number) => TokenPrices | undefined) | undefined;
  readonly source: string;
  readonly tiers: Readonly<Record<string, number>> | undefined;
}

const OVERRIDE_SOURCE = "config";
/**
 * Maximum number of cached look-ups. When the cache is full, it is cleared. Its size must be limited, because model names are untrusted.
 */
const MOST_KNOWN = 2048;

/**
 * Creates a function that returns the price of a model call. Overrides take precedence over the table. Names are tried in the order of
 * `modelNames`. Look-ups are cached.
 */
export function createPricer(overrides: PriceOverrides = {}, table: PriceTable = vendorTable): Pricer {
  const own = ownPrices(overrides);
  const known = new Remembered();

  return (provider, model, usage, atUnixMs, tier = null) => {
    const found = known.of(provider, model, () => {
      const asWritten = { provider: provider?.trim().toLowerCase() ?? null, model: model.trim() };
      return find(asWritten, modelNames(provider, model), own, table);
    });
    const prices = found.prices?.(atUnixMs);
    const usd = prices === undefined ? null : priceOf(prices, usage);
    if (prices === undefined || usd === null) return null;
    const factor = tier === null ? 1 : found.tiers?.[tier];
    const unpriced = unpricedOf(prices, usage, factor === undefined ? tier : null);
    return { usd: usd * (factor ?? 1), source: found.source, unpriced };
  };
}

/** Cached look-ups, by provider and then by model. Two nested maps are faster than a combined key. */
class Remembered {
  readonly #byProvider = new Map<string | null, Map<string, Found>>();
  #size = 0;

  of(provider: string | null, model: string, look: () => Found): Found {
    const found = this.#byProvider.get(provider)?.get(model);
    if (found !== undefined) return found;
    if (this.#size++ >= MOST_KNOWN) {
      this.#byProvider.clear();
      this.#size = 1;
    }
    const fresh = look();
    let models = this.#byProvider.get(provider);
    if (models === undefined) this.#byProvider.set(provider, (models = new Map()));
    models.set(model, fresh);
    return fresh;
  }
}

const nothing: readonly string[] = [];

function unpricedOf(prices: TokenPrices, usage: Usage, tier: string | null): readonly string[] {
  const isLong = (usage.longCacheWrite ?? 0) > 0 && prices.longCacheWrite === undefined;
  if (tier === null && !isLong) return nothing;
  return [
    ...(tier === null ? [] : [`service tier ${tier}`]),
    ...(isLong && prices.cacheWrite !== undefined ? ["cache writes for an hour"] : []),
  ];
}

interface Own {
  /** Configured prices; undefined unless both `input` and `output` are configured. If undefined, the table's prices apply. */
  readonly prices: TokenPrices | undefined;
  readonly tiers: Readonly<Record<string, number>> | undefined;
}

function ownPrices(overrides: PriceOverrides): ReadonlyMap<string, Own> {
  return new Map(
    Object.entries(overrides).map(([name, override]) => {
      const { input, output, cached, cache_write, cache_write_1h, reasoning, service_tiers } = override;
      const prices =
        input === undefined || output === undefined
          ? undefined
          : { input, output, cached, cacheWrite: cache_write, longCacheWrite: cache_write_1h, reasoning };
      return [name.toLowerCase(), { prices, tiers: service_tiers }];
    }),
  );
}

/**
 * Finds the prices of a model. The unchanged name is always tried first, so that the configuration can give a price to a local model, which
 * no table lists.
 */
function find(
  asWritten: ModelName,
  names: readonly ModelName[],
  own: ReadonlyMap<string, Own>,
  table: PriceTable,
): Found {
  let tiers: Own["tiers"];
  for (const { provider, model } of [asWritten, ...names]) {
    const name = model.toLowerCase();
    const found = (provider === null ? undefined : own.get(`${provider}/${name}`)) ?? own.get(name);
    tiers ??= found?.tiers;
    const prices = found?.prices;
    if (prices !== undefined) return { prices: () => prices, source: OVERRIDE_SOURCE, tiers };
  }
  for (const name of names) {
    if (table.variesOverTime(name)) {
      return { prices: (atUnixMs) => table.find(name, atUnixMs), source: table.source, tiers };
    }
    const prices = table.find(name, 0);
    if (prices !== undefined) return { prices: () => prices, source: table.source, tiers };
  }
  return { prices: undefined, source: table.source, tiers };
}

interface PriceTable {
  readonly source: string;
  /** Returns the prices of a model at a given time; undefined if the table does not list the model. */
  find(name: ModelName, atUnixMs: number): TokenPrices | undefined;
  variesOverTime(name: ModelName): boolean;
}

function look({ provider, model }: ModelName, atUnixMs: number): ReturnType<typeof calcPrice> {
  if (provider !== null && findProvider({ providerId: provider }) === undefined) return null;
  try {
    const timestamp = new Date(atUnixMs);
    return calcPrice({}, model, provider === null ? { timestamp } : { providerId: provider, timestamp });
  } catch {
    return null;
  }
}

/** Converts the prices of a model. Returns undefined if the model's price does not depend on tokens. */
function tokenPrices(price: ModelPrice): TokenPrices | undefined {
  const input = tiered(price["input_mtok"]);
  const output = tiered(price["output_mtok"]);
  if (input === undefined && output === undefined) return undefined;
  const requests = price["requests_kcount"];
  return {
    input,
    output,
    cached: tiered(price["cache_read_mtok"]),
    cacheWrite: tiered(price["cache_write_mtok"]),
    longCacheWrite: tiered(price["cache_write_1h_mtok"]),
    reasoning: tiered(price["output_reasoning_mtok"]),
    ...(typeof requests === "number" ? { request: requests / 1000 } : {}),
  };
}

/** Converts a price with tiers. The package declares a class for it, but its data contains plain objects. */
function tiered(price: number | TieredPrices | undefined): number | TieredPrice | undefined {
  return typeof price === "object" ? { base: price.base, tiers: price.tiers } : price;
}
