import type { AgentRun } from "../model/run.ts";
import type { CompiledTurn } from "../spec/compiled.ts";
import { normaliseText } from "./normalise.ts";

/**
 * Which run of a conversation answers each turn of a query; null where nobody asked it. Each turn takes the first run after the
 * one before it that asked its text (case, white space and end punctuation aside; `"*"` is any). Where texts were not captured, runs
 * and turns stand in order as long as there are as many of the one as of the other.
 */
export function runsOfTurns(
  turns: readonly Pick<CompiledTurn, "text">[],
  runs: readonly AgentRun[],
): readonly (AgentRun | null)[] {
  if (runs.length === turns.length && runs.some(({ query }) => query === null)) return runs;
  const asked = runs.map(({ query }) => (query === null ? null : normaliseText(query)));
  let next = 0;
  return turns.map(({ text }) => {
    const wanted = text === "*" ? undefined : normaliseText(text);
    for (let at = next; at < runs.length; at++) {
      if (wanted !== undefined && asked[at] !== wanted) continue;
      next = at + 1;
      return runs[at] ?? null;
    }
    return null;
  });
}
