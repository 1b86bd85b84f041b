/**
 * Kinds of items about which a judge decides separately. The judge lists claims itself; items of other kinds are numbered in the judge's
 * input.
 */
export const itemKinds = ["tool_call", "turn", "document", "claim"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** Ways to combine decisions about items into a score from 0 to 1; see `eachScore`. */
export const itemScores = ["share", "ranked"] as const;

export interface Each {
  readonly item: ItemKind;
  /** Description of the claims that the judge lists. Null for the factual claims of the answer, and for items that are not claims. */
  readonly list: string | null;
  readonly score: (typeof itemScores)[number];
}
