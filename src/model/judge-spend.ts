/** Savings; tokens and dollars are null if a part is unknown. */
export interface Saving {
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** Cost and savings of judges. */
export interface JudgeSpend {
  /** Calls that were answered. */
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly saved: {
    /** Cached replies. */
    readonly cache: Saving;
    /** Calls saved by a sure first model. Tokens and dollars are estimated from that model's usage, and exclude it. */
    readonly cascade: Saving;
    /** Calls of which the provider had read a part before, those tokens, and what they cost less. */
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

/** All that was not spent. The tokens that a provider had read before were sent, and are not in it. */
export function totalSaved({ saved: { cache, cascade, prompt_cache: prompt } }: JudgeSpend): Saving {
  return addSavings(addSavings(cache, cascade), { calls: 0, tokens: 0, usd: prompt.usd });
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
