import type { Outcome } from "../types.ts";

/** Minimum number of decided runs from which the stability of a query can be stated. */
const fewestDecided = 5;

export interface QueryState {
  readonly word: string;
  readonly glyph: string;
  /** The outcome whose colour is used for the state; null for no colour. */
  readonly like: Outcome | null;
}

/** Returns how consistently the runs of a query pass, in words. A run with warnings counts as passed. */
export function queryState(outcomes: Readonly<Partial<Record<Outcome, number>>>): QueryState {
  const passed = (outcomes.pass ?? 0) + (outcomes.warn ?? 0);
  const failed = outcomes.fail ?? 0;
  const decided = passed + failed;
  if (decided === 0) return { word: "not decided", glyph: "?", like: "incomplete" };
  if (decided < fewestDecided) {
    if (failed === 0) return { word: "passes so far", glyph: "", like: null };
    if (passed > 0) return { word: "mixed so far", glyph: "▲", like: "warn" };
    return { word: "fails so far", glyph: "✗", like: "fail" };
  }
  if (passed === 0) return { word: "always fails", glyph: "✗", like: "fail" };
  if (failed > 0) return { word: "flaky", glyph: "▲", like: "warn" };
  if ((outcomes.warn ?? 0) > 0) return { word: "passes, with warnings", glyph: "▲", like: "warn" };
  return { word: "pass rate stable", glyph: "", like: null };
}

/**
 * Returns the state of all rows of a table together. If some rows pass and others fail, the word is not "flaky", because the rows are
 * different queries.
 */
export function tableState(outcomes: Readonly<Partial<Record<Outcome, number>>>): QueryState {
  const state = queryState(outcomes);
  return state.word === "flaky" || state.word === "mixed so far" ? { ...state, word: "some fail" } : state;
}
