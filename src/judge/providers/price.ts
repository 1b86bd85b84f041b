import type { JudgeUsage } from "../../evaluate/judge/ask/port.ts";
import type { Pricer } from "../../model/price/price.ts";

/** Prices judge calls with the table of the agents' calls. A gateway's provider name gives no price. */
export function judgePrice(
  price: Pricer,
  now: () => number,
): (modelId: string, usage: JudgeUsage) => number | null {
  return (modelId, { input, output, cached, cacheWrite = null }) =>
    price(null, modelId, { input, output, cached, cacheWrite, reasoning: null }, now())?.usd ?? null;
}
