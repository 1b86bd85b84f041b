import type { Usage } from "../model/run.ts";
import { modelNames, type ModelName } from "./model-names.ts";
import type { PriceTable } from "./price-table.ts";
import { priceOf, type TokenPrices } from "./token-prices.ts";
import { vendorTable } from "./vendor-table.ts";

/** Prices of one model in US dollars per million tokens, as the config gives them. What is left out costs what its whole does. */
export interface PriceOverride {
  readonly input: number;
  readonly output: number;
  /** Input read from a cache. */
  readonly cached?: number;
  /** Input written to a cache. */
  readonly cache_write?: number;
  /** Output spent on reasoning. */
  readonly reasoning?: number;
}

/** By model name, or `provider/model`. */
export type PriceOverrides = Readonly<Record<string, PriceOverride>>;

export interface Price {
  readonly usd: number;
  /** Which table: its name and date. */
  readonly source: string;
}

/** Prices one model call. Null when the model, or the tokens that decide its price, are unknown: absent is not zero. */
export type Pricer = (provider: string | null, model: string, usage: Usage, atUnixMs: number) => Price | null;

interface Found {
  /** Undefined: the model is in no table. */
  readonly prices: ((atUnixMs: number) => TokenPrices | undefined) | undefined;
  readonly source: string;
}

const OVERRIDE_SOURCE = "config";
/** Model names come from strangers: the memory of look-ups is emptied rather than let grow. */
const MOST_KNOWN = 2048;

/**
 * Makes the pricing function. Overrides win over the table; a model is tried under its own name, then without a gateway's prefix,
 * Bedrock's decoration, and date. Look-ups are remembered; no network is ever used.
 */
export function createPricer(overrides: PriceOverrides = {}, table: PriceTable = vendorTable): Pricer {
  const own = ownPrices(overrides);
  const known = new Map<string, Found>();

  return (provider, model, usage, atUnixMs) => {
    const id = `${provider ?? ""}\u0000${model}`;
    let found = known.get(id);
    if (found === undefined) {
      if (known.size >= MOST_KNOWN) known.clear();
      const asWritten = { provider: provider?.trim().toLowerCase() ?? null, model: model.trim() };
      known.set(id, (found = find(asWritten, modelNames(provider, model), own, table)));
    }
    const prices = found.prices?.(atUnixMs);
    const usd = prices === undefined ? null : priceOf(prices, usage);
    return usd === null ? null : { usd, source: found.source };
  };
}

function ownPrices(overrides: PriceOverrides): ReadonlyMap<string, TokenPrices> {
  return new Map(
    Object.entries(overrides).map(([name, { input, output, cached, cache_write, reasoning }]) => {
      const prices = { input, output, cached, cacheWrite: cache_write, reasoning };
      return [name.toLowerCase(), prices];
    }),
  );
}

/** A model that runs locally has no name in any table; the config may price it all the same, as it is written. */
function find(
  asWritten: ModelName,
  names: readonly ModelName[],
  own: ReadonlyMap<string, TokenPrices>,
  table: PriceTable,
): Found {
  for (const { provider, model } of [asWritten, ...names]) {
    const name = model.toLowerCase();
    const prices = (provider === null ? undefined : own.get(`${provider}/${name}`)) ?? own.get(name);
    if (prices !== undefined) return { prices: () => prices, source: OVERRIDE_SOURCE };
  }
  for (const name of names) {
    if (table.variesOverTime(name)) {
      return { prices: (atUnixMs) => table.find(name, atUnixMs), source: table.source };
    }
    const prices = table.find(name, 0);
    if (prices !== undefined) return { prices: () => prices, source: table.source };
  }
  return { prices: undefined, source: table.source };
}
