import { calcPrice, findProvider, type ModelPrice, type TieredPrices } from "@pydantic/genai-prices";
import type { ModelName } from "./model-names.ts";
import type { TieredPrice, TokenPrices } from "./token-prices.ts";

export interface PriceTable {
  readonly source: string;
  /** Returns the prices of a model at a time; undefined if the table does not list the model. */
  find(name: ModelName, atUnixMs: number): TokenPrices | undefined;
  variesOverTime(name: ModelName): boolean;
}

/** Version of the bundled price table. A test compares this version with the installed package. */
export const vendorTableVersion = "0.1.8";
const RELEASED = "2026-09-23";

/**
 * Vendors' prices from `@pydantic/genai-prices`. The package only finds the model. `priceOf` adds up the
 * prices, because `priceOf` is fast enough for every model call.
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

function look({ provider, model }: ModelName, atUnixMs: number): ReturnType<typeof calcPrice> {
  if (provider !== null && findProvider({ providerId: provider }) === undefined) return null;
  try {
    const timestamp = new Date(atUnixMs);
    return calcPrice({}, model, provider === null ? { timestamp } : { providerId: provider, timestamp });
  } catch {
    return null;
  }
}

/** Converts the prices of a model. Returns undefined if the model is not priced by tokens. */
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

/** Converts a price with tiers. The bundled data contains plain objects instead of the declared class. */
function tiered(price: number | TieredPrices | undefined): number | TieredPrice | undefined {
  return typeof price === "object" ? { base: price.base, tiers: price.tiers } : price;
}
