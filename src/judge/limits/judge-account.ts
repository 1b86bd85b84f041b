import type { CascadeStep } from "../../evaluate/judge/ask/cascade-step.ts";
import type { JudgeUsage } from "../../evaluate/judge/ask/port.ts";
import { addSavings, type JudgeSpend, noSpend, type Saving } from "../../model/judge-spend.ts";
import type { JudgeCall } from "./scheduler.ts";

/** Returns the price of tokens in US dollars, by the model's name in the spec; null if unknown. */
export type JudgePrice = (model: string, usage: JudgeUsage) => number | null;

/** Sums the costs and savings of judge calls. */
export class JudgeAccount {
  readonly #price: JudgePrice;
  #spend = noSpend;

  constructor(price: JudgePrice) {
    this.#price = price;
  }

  get spend(): JudgeSpend {
    return this.#spend;
  }

  addCall({ model, usage, costUsd, errorType }: JudgeCall): void {
    if (errorType !== null || usage === null) return;
    this.#spend = {
      ...this.#spend,
      ...addSavings(this.#spend, { calls: 1, tokens: tokensOf(usage), usd: costUsd }),
    };
    if (usage.cached !== null && usage.cached > 0) this.#save("prompt_cache", this.#readBefore(model, usage));
  }

  /** @param usage usage of the original call; null if the cache does not contain it */
  addKept(model: string, usage: JudgeUsage | null): void {
    this.#save("cache", {
      calls: 1,
      tokens: usage === null ? null : tokensOf(usage),
      usd: usage === null ? null : this.#price(model, usage),
    });
  }

  /**
   * Adds the estimated saving of a cascade step: what the judges that were not called would have cost with the first model's tokens, minus
   * the cost of the first model's call.
   */
  addCascade({ first, usage, spared }: CascadeStep): void {
    const [tokens, usd] = [tokensOf(usage), this.#price(first, usage)];
    this.#save("cascade", {
      calls: 0,
      tokens: tokens === null ? null : -tokens,
      usd: usd === null ? null : -usd,
    });
    for (const model of spared)
      this.#save("cascade", {
        calls: 1,
        tokens: tokensOf(usage),
        usd: this.#price(model, { ...usage, cached: null, cacheWrite: null }),
      });
  }

  #readBefore(model: string, usage: JudgeUsage): Saving {
    const actual = this.#price(model, usage);
    const full = this.#price(model, { ...usage, cached: null, cacheWrite: null });
    return { calls: 1, tokens: usage.cached, usd: actual === null || full === null ? null : full - actual };
  }

  #save(where: keyof JudgeSpend["saved"], saving: Saving): void {
    const { saved } = this.#spend;
    this.#spend = { ...this.#spend, saved: { ...saved, [where]: addSavings(saved[where], saving) } };
  }
}

function tokensOf({ input, output }: JudgeUsage): number | null {
  return input === null || output === null ? null : input + output;
}
