/** Savings. `tokens` and `usd` are null if one of their summands is unknown. */
export interface Saving {
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** Cost and savings of judges. */
export interface JudgeSpend {
  /** Number of answered calls. */
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly saved: {
    /** Savings by cached replies. */
    readonly cache: Saving;
    /**
     * Savings when the first judge model was confident, so that the second model was not called. Tokens and
     * dollars are estimates from the first model's usage, and exclude that usage.
     */
    readonly cascade: Saving;
    /** Savings by the providers' prompt caches: number of calls, cached tokens, and the price difference. */
    readonly prompt_cache: Saving;
  };
}

const nothing: Saving = { calls: 0, tokens: 0, usd: 0 };

export const noSpend: JudgeSpend = {
  ...nothing,
  saved: { cache: nothing, cascade: nothing, prompt_cache: nothing },
};

export function addSavings(a: Saving, b: Saving): Saving {
  return { calls: a.calls + b.calls, tokens: sum(a.tokens, b.tokens), usd: sum(a.usd, b.usd) };
}

export function addSpends(a: JudgeSpend, b: JudgeSpend): JudgeSpend {
  return {
    ...addSavings(a, b),
    saved: {
      cache: addSavings(a.saved.cache, b.saved.cache),
      cascade: addSavings(a.saved.cascade, b.saved.cascade),
      prompt_cache: addSavings(a.saved.prompt_cache, b.saved.prompt_cache),
    },
  };
}

/**
 * Returns the total savings. Tokens from a provider's prompt cache are not counted as saved, because they
 * were sent.
 */
export function totalSaved({ saved: { cache, cascade, prompt_cache: prompt } }: JudgeSpend): Saving {
  return addSavings(addSavings(cache, cascade), { calls: 0, tokens: 0, usd: prompt.usd });
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
