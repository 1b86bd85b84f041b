/** Kinds of items that a judge decides. The judge lists claims; all other kinds are numbered in the material. */
export const itemKinds = ["tool_call", "turn", "document", "claim"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** Combines item decisions into a score of 0–1; see `eachScore`. */
export const itemScores = ["share", "ranked"] as const;

export interface Each {
  readonly item: ItemKind;
  /** For claims: which claims the judge lists. */
  readonly list: string | null;
  readonly score: (typeof itemScores)[number];
}
