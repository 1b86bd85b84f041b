/** How far two raters agree on the same items. */
export interface Agreement {
  readonly count: number;
  /** Share of items with the same label, in [0, 1]. */
  readonly observed: number;
  /** Agreement beyond chance, in [−1, 1]; null when both always gave one and the same label. */
  readonly kappa: number | null;
}

/**
 * Cohen's kappa: (pₒ − pₑ)/(1 − pₑ), with pₑ the agreement expected of raters who label at random with their
 * own frequencies. Pairs are (first rater's, second rater's) label of one item. Null without items. With pₑ =
 * 1 kappa is undefined (null; AgentCI calls that 1). Source: Cohen, Educ. Psychol. Meas. 20 (1960).
 */
export function cohensKappa(pairs: readonly (readonly [unknown, unknown])[]): Agreement | null {
  if (pairs.length === 0) return null;
  const first = new Map<unknown, number>();
  const second = new Map<unknown, number>();
  let same = 0;
  for (const [one, other] of pairs) {
    first.set(one, (first.get(one) ?? 0) + 1);
    second.set(other, (second.get(other) ?? 0) + 1);
    if (one === other) same++;
  }
  let chance = 0;
  for (const [label, count] of first) chance += count * (second.get(label) ?? 0);
  const observed = same / pairs.length;
  const expected = chance / pairs.length ** 2;
  return {
    count: pairs.length,
    observed,
    kappa: expected === 1 ? null : (observed - expected) / (1 - expected),
  };
}
