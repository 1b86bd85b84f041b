/** Saved calls, tokens and US dollars. `tokens` and `usd` are null if a part of the sum is unknown. */
export interface Saving {
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** Cost of judge calls, and savings by caches and cascades. */
export interface JudgeSpend {
  /** Number of calls that a judge answered. */
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly saved: {
    readonly cache: Saving;
    /**
     * Savings when the first judge model was confident, so that the second judge model was not called. Tokens
     * and dollars are estimated from the first model's usage, and do not include that usage.
     */
    readonly cascade: Saving;
    /** Savings by the providers' prompt caches: calls, cached tokens, and the price difference. */
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
 * Returns the sum of the savings. A provider's prompt cache adds only dollars, because its calls were made and
 * its tokens were sent.
 */
export function totalSaved({ saved: { cache, cascade, prompt_cache: prompt } }: JudgeSpend): Saving {
  return addSavings(addSavings(cache, cascade), { calls: 0, tokens: 0, usd: prompt.usd });
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
