import type { JudgeUsage } from "../../evaluate/judge/ask/port.ts";
import type { Pricer } from "../../model/price/price.ts";

/**
 * Returns a function that prices a judge call in US dollars from the price table for agents' calls; null if the model has no price. Ignores
 * the provider's name, because gateways have no prices of their own.
 */
export function judgePrice(
  price: Pricer,
  now: () => number,
): (modelId: string, usage: JudgeUsage) => number | null {
  return (modelId, { input, output, cached, cacheWrite = null }) =>
    price(null, modelId, { input, output, cached, cacheWrite, reasoning: null }, now())?.usd ?? null;
}
