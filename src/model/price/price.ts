import type { Usage } from "../run.ts";
import { type ModelName, modelNames } from "./model-names.ts";
import { type PriceTable, vendorTable } from "./vendor-table.ts";
import { priceOf, type TokenPrices } from "./token-prices.ts";

/** Prices of one model in US dollars per million tokens, as the config gives them. What is left out costs what its whole does. */
export interface PriceOverride {
  readonly input?: number;
  readonly output?: number;
  /** Input read from a cache. */
  readonly cached?: number;
  /** Input written to a cache. */
  readonly cache_write?: number;
  /** Input written to a cache that keeps it for an hour. */
  readonly cache_write_1h?: number;
  /** Output spent on reasoning. */
  readonly reasoning?: number;
  /** Price factors by service tier: `{ batch: 0.5, priority: 2 }`. */
  readonly service_tiers?: Readonly<Record<string, number>>;
}

/** By model name, or `provider/model`. */
export type PriceOverrides = Readonly<Record<string, PriceOverride>>;

export interface Price {
  readonly usd: number;
  /** Which table: its name and date. */
  readonly source: string;
  /** A property of the call for which the table has no price (a service tier, for example). The call gets the usual price. */
  readonly unpriced: readonly string[];
}

/**
 * Prices one model call. Null when the model, or the tokens that decide its price, are unknown: absent is not zero. `tier`: the service
 * tier of the call where it is not the provider's usual one.
 */
export type Pricer = (
  provider: string | null,
  model: string,
  usage: Usage,
  atUnixMs: number,
  tier?: string | null,
) => Price | null;

interface Found {
  /** Undefined: the model is in no table. */
  readonly prices: ((atUnixMs: number) => TokenPrices | undefined) | undefined;
  readonly source: string;
  readonly tiers: Readonly<Record<string, number>> | undefined;
}

const OVERRIDE_SOURCE = "config";
/** Model names come from untrusted input: the memory of look-ups is emptied rather than let grow. */
const MOST_KNOWN = 2048;

/**
 * Makes the pricing function. Overrides win over the table; a model is tried under its own name, then without a gateway's prefix,
 * Bedrock's decoration, and date. Look-ups are remembered; no network is ever used.
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

/** Look-ups by provider, then model: a key made of both would have to be written out for each call. */
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
  /** Undefined where the config leaves the prices to the table. */
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

/** A model that runs locally has no name in any table; the config may price it all the same, as it is written. */
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
