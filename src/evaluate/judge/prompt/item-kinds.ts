/** What a judge decides about one by one. All but claims are numbered in the material; claims are listed by the judge. */
export const itemKinds = ["tool_call", "turn", "document", "claim"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** How single decisions become one score of 0–1; see `eachScore`. */
export const itemScores = ["share", "ranked"] as const;

export interface Each {
  readonly item: ItemKind;
  /** Of claims: which ones to list. */
  readonly list: string | null;
  readonly score: (typeof itemScores)[number];
}
