import {
  decidedOf,
  factsOf,
  heldVerdict,
  type Place,
  type ReportedRun,
  type ReportedVerdict,
  type VerdictHead,
  verdictIdOf,
} from "./reported.ts";

/** A finding as two texts. Every report reads `head`; `body` is read on demand. */
export interface SavedText {
  readonly head: string;
  readonly body: string;
}

/** Sort key of a finding: place, then verdict id or spec name. */
export interface Key {
  readonly place: Place;
  readonly second: string;
}

/** Converts findings of one kind to text and back. */
export interface Saving<Item> {
  keyOf(item: Item): Key;
  /** Returns the approximate memory of an item in bytes. */
  weigh(item: Item): number;
  save(item: Item): SavedText;
  read(saved: SavedText): Item;
}

export const savedRuns: Saving<ReportedRun> = {
  keyOf: ({ place, spec }) => ({ place, second: spec }),
  weigh: ({ query, candidates }) => 800 + 2 * (query?.length ?? 0) + 50 * candidates.length,
  save: (run) => ({ head: JSON.stringify(run), body: "" }),
  read: ({ head }) => JSON.parse(head) as ReportedRun,
};

export const savedVerdicts: Saving<ReportedVerdict> = {
  keyOf: (reported) => ({ place: reported.place, second: verdictIdOf(reported) }),
  weigh: (reported) => VERDICT + 2 * textOf(reported).length,
  save: (reported) => ({ head: JSON.stringify(headOf(reported)), body: textOf(reported) }),
  read: ({ head, body }) => heldVerdict(JSON.parse(head) as VerdictHead, body),
};

/** Estimated memory of a verdict in bytes, without its JSON text and its report data. */
const VERDICT = 1_500;

function textOf(reported: ReportedVerdict): string {
  return reported.verdictText ?? JSON.stringify(reported.verdict);
}

function headOf(reported: ReportedVerdict): VerdictHead {
  const { spec, query_id, outcome } = decidedOf(reported);
  return { ...factsOf(reported), id: verdictIdOf(reported), decided: { spec, query_id, outcome } };
}
