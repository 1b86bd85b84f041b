import type { JudgeUsage } from "../../evaluate/judge/ask/port.ts";
import type { Pricer } from "../../model/price/price.ts";

/**
 * Returns a function that prices a judge's call in US dollars, with the price table for agents' calls; null
 * if the model has no price. The provider's name is ignored, because a gateway has no prices of its own.
 */
export function judgePrice(
  price: Pricer,
  now: () => number,
): (modelId: string, usage: JudgeUsage) => number | null {
  return (modelId, { input, output, cached, cacheWrite = null }) =>
    price(null, modelId, { input, output, cached, cacheWrite, reasoning: null }, now())?.usd ?? null;
}
