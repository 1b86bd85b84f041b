import { derivedOnce } from "../support/structures/bounded-memo.ts";
import { compilePattern, type Pattern } from "../model/patterns/pattern.ts";
import type { AgentRun } from "../model/run.ts";
import type { CompiledTurn } from "../evaluate/query/compiled.ts";
import type { Captures } from "./hit.ts";
import { normaliseText } from "./rules/normalise.ts";

type Turn = Pick<CompiledTurn, "text" | "capture">;

export interface TurnsOfRuns {
  /** Run of each turn; null if the conversation has no run for the turn. */
  readonly runs: readonly (AgentRun | null)[];
  /** Texts that the turns captured from answers. */
  readonly captures: Captures;
}

/**
 * Assigns the runs of a conversation to the turns of a query. A turn gets the next run with an equal query text, after captured values are
 * filled in. Case, white space and end punctuation are ignored; `"*"` equals any text. If query texts are missing, there are as many runs
 * as turns, and each known text equals the text of the turn at its position, runs and turns are assigned in order.
 */
export function runsOfTurns(turns: readonly Turn[], runs: readonly AgentRun[]): TurnsOfRuns {
  const queryTexts = runs.map(({ query }) => (query === null ? null : normaliseText(query)));
  if (runs.length === turns.length && queryTexts.includes(null)) {
    const inOrder = assigned(turns, runs, (turn, at, captures) =>
      fitsTurn(turn, queryTexts[at] ?? null, captures) ? at : NO_RUN,
    );
    if (!inOrder.runs.includes(null)) return inOrder;
  }
  let next = 0;
  return assigned(turns, runs, (turn, _, captures) => {
    const at = indexOfTurn(turn, queryTexts, next, captures);
    if (at < runs.length) next = at + 1;
    return at;
  });
}

const NO_RUN = Infinity;

/** @param placeOf returns the index of the turn's run; an index without a run if the turn has none */
function assigned(
  turns: readonly Turn[],
  runs: readonly AgentRun[],
  placeOf: (turn: Turn, at: number, captures: Captures) => number,
): TurnsOfRuns {
  const captures = new Map<string, string>();
  const found = turns.map((turn, at) => {
    const run = runs[placeOf(turn, at, captures)] ?? null;
    if (run !== null) captureFrom(turn, run.answer, captures);
    return run;
  });
  return { runs: found, captures };
}

/** Whether a run with this normalised query text can answer the turn; true if the text is unknown. */
function fitsTurn({ text }: Turn, queryText: string | null, captures: Captures): boolean {
  return queryText === null || text === "*" || queryText === normaliseText(filledText(text, captures));
}

function indexOfTurn(
  { text }: Turn,
  queryTexts: readonly (string | null)[],
  from: number,
  captures: Captures,
): number {
  if (text === "*") return from;
  const wanted = normaliseText(filledText(text, captures));
  const found = queryTexts.indexOf(wanted, from);
  return found < 0 ? NO_RUN : found;
}

const marks = /\{([A-Za-z_]\w*)\}/g;

/** Replaces `{name}` in a turn's text by the value that an earlier turn captured. Braces around other names are not replaced. */
export function filledText(text: string, captures: Captures): string {
  return text.replaceAll(marks, (whole, name: string) => captures.get(name) ?? whole);
}

/** Returns the names in braces that turns capture but that have no value yet. */
export function unfilledNames(text: string, turns: readonly Turn[], captures: Captures): readonly string[] {
  const known = new Set(turns.flatMap(({ capture }) => [...(capture?.keys() ?? [])]));
  return [...text.matchAll(marks)].flatMap(([, name = ""]) =>
    known.has(name) && !captures.has(name) ? [name] : [],
  );
}

/** Adds the texts that the turn's patterns capture from an answer. */
export function captureFrom({ capture }: Turn, answer: string | null, captures: Map<string, string>): void {
  if (capture === undefined || answer === null) return;
  for (const [name, pattern] of patternsOf(capture)) {
    const groups = pattern.groups(answer);
    const value = groups?.get(name) ?? groups?.get(WHOLE);
    if (value !== undefined) captures.set(name, value);
  }
}

const WHOLE = "tracejury_whole";
const patternsOf = derivedOnce((capture: ReadonlyMap<string, string>): ReadonlyMap<string, Pattern> => {
  const made = [...capture].flatMap(([name, source]): [string, Pattern][] => {
    const result = compilePattern(`(?P<${WHOLE}>${source})`);
    return result.ok ? [[name, result.pattern]] : [];
  });
  return new Map(made);
});
