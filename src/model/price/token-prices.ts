import type { Usage } from "../run.ts";

/**
 * A base price, and tiers with other prices. The number of input tokens selects a tier, and the tier's price applies to the complete
 * request.
 */
export interface TieredPrice {
  readonly base: number;
  readonly tiers: readonly { readonly start: number; readonly price: number }[];
}

/**
 * Prices in US dollars per million tokens. The defaults: for `cached` and `cacheWrite`, `input`; for `longCacheWrite`, `cacheWrite`; for
 * `reasoning`, `output`.
 */
export interface TokenPrices {
  readonly input: number | TieredPrice | undefined;
  readonly output: number | TieredPrice | undefined;
  readonly cached: number | TieredPrice | undefined;
  readonly cacheWrite: number | TieredPrice | undefined;
  readonly longCacheWrite?: number | TieredPrice | undefined;
  readonly reasoning: number | TieredPrice | undefined;
  /** Price of the request itself in US dollars, in addition to its tokens. */
  readonly request?: number;
}

const MILLION = 1_000_000;

/**
 * Returns the cost of one call in US dollars. Each token counts once: cached and cache-write tokens are part of the input, reasoning tokens
 * are part of the output. If the number of cached, cache-write or reasoning tokens is unknown, it counts as 0. Returns null if the number
 * of input or output tokens is unknown and has a price, or if the parts are more than the whole count.
 */
export function priceOf(prices: TokenPrices, usage: Usage): number | null {
  const input = tokens(usage.input, prices.input);
  const output = tokens(usage.output, prices.output);
  if (input === null || output === null) return null;
  const cached = usage.cached ?? 0;
  const written = usage.cacheWrite ?? 0;
  const long = usage.longCacheWrite ?? 0;
  const reasoning = usage.reasoning ?? 0;
  const plain = input - cached - written;
  const visible = output - reasoning;
  if (!(plain >= 0 && visible >= 0 && cached >= 0 && long >= 0 && written >= long && reasoning >= 0))
    return null;
  let perMillion = plain * tierOf(prices.input, input);
  if (cached > 0) perMillion += cached * tierOf(prices.cached ?? prices.input, input);
  if (written > 0) {
    const price = prices.cacheWrite ?? prices.input;
    perMillion += (written - long) * tierOf(price, input);
    perMillion += long * tierOf(prices.longCacheWrite ?? price, input);
  }
  perMillion += visible * tierOf(prices.output, input);
  if (reasoning > 0) perMillion += reasoning * tierOf(prices.reasoning ?? prices.output, input);
  return perMillion / MILLION + (prices.request ?? 0);
}

/**
 * Returns a token count. An unknown count becomes null if it has a price, and 0 if it has none. Example: an embedding has neither output
 * tokens nor a price for them.
 */
function tokens(count: number | null, price: number | TieredPrice | undefined): number | null {
  if (count === null) return price === undefined ? 0 : null;
  return Number.isFinite(count) && count >= 0 ? count : null;
}

function tierOf(price: number | TieredPrice | undefined, input: number): number {
  if (typeof price !== "object") return price ?? 0;
  let current = price.base;
  for (const { start, price: own } of price.tiers) if (input > start) current = own;
  return current;
}
