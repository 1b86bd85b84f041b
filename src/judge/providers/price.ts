import type { JudgeUsage } from "../../evaluate/judge/ask/port.ts";
import type { Pricer } from "../../model/price/price.ts";

/**
 * Returns the price of judge calls from the same table as agents' calls. The provider name of a gateway has
 * no price.
 */
export function judgePrice(
  price: Pricer,
  now: () => number,
): (modelId: string, usage: JudgeUsage) => number | null {
  return (modelId, { input, output, cached, cacheWrite = null }) =>
    price(null, modelId, { input, output, cached, cacheWrite, reasoning: null }, now())?.usd ?? null;
}
