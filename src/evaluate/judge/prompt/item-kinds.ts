/**
 * Kinds of items about which a judge decides. The judge itself lists claims; items of all other kinds are
 * numbered in the judge's input.
 */
export const itemKinds = ["tool_call", "turn", "document", "claim"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** Ways to combine the decisions about items into a score from 0 to 1, as in `eachScore`. */
export const itemScores = ["share", "ranked"] as const;

export interface Each {
  readonly item: ItemKind;
  /** For claims: which claims the judge must list; null for other kinds of items. */
  readonly list: string | null;
  readonly score: (typeof itemScores)[number];
}
