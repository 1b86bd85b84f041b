/** Saved calls, tokens and US dollars. `tokens` or `usd` is null if a part of its sum is unknown. */
export interface Saving {
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** Cost of judge calls, and what caches and cascades saved. */
export interface JudgeSpend {
  /** Number of calls that a judge answered. */
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly saved: {
    readonly cache: Saving;
    /**
     * Savings because the first judge model was confident, so that the second judge model was not called. Tokens and dollars are estimated
     * from the first model's usage. The first model's own usage is not part of the savings.
     */
    readonly cascade: Saving;
    /** Savings by the providers' prompt caches: number of calls, cached tokens, and price difference. */
    readonly prompt_cache: Saving;
  };
}

const nothing: Saving = { calls: 0, tokens: 0, usd: 0 };

export const noSpend: JudgeSpend = {
  ...nothing,
  saved: { cache: nothing, cascade: nothing, prompt_cache: nothing },
};

/** Whether a judge answered, or a cached reply or the first model of a cascade made a call unnecessary. */
export function isSpent({ calls, saved: { cache, cascade } }: JudgeSpend): boolean {
  return calls + cache.calls + cascade.calls > 0;
}

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
 * Returns the sum of the savings. Of a provider's prompt cache, only the dollars are added, because the calls were made and their tokens
 * were sent.
 */
export function totalSaved({ saved: { cache, cascade, prompt_cache: prompt } }: JudgeSpend): Saving {
  return addSavings(addSavings(cache, cascade), { calls: 0, tokens: 0, usd: prompt.usd });
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
