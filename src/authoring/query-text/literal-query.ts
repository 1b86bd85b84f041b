import type { QueryEdit } from "./edit-query.ts";

/** Why a text of a run is not written as `query:` or `agent:` of a spec. */
export const notLiteral = 'a spec reads "*" as "any", so no query can be about this text alone';

/**
 * Whether a spec takes a text of a run as it is. Others must not be written: who sends telemetry, or talks to an agent, would decide what a
 * spec is about. Everything but the wildcard is literal in `query` and `agent`.
 */
export function isLiteral(text: string): boolean {
  return text.trim() !== "*";
}

/** The name among `variables` that a text to be written would be replaced for, as `{name}`; undefined where all are literal. */
export function variableIn(edits: readonly QueryEdit[], variables: ReadonlySet<string>): string | undefined {
  const texts = JSON.stringify(edits.map(({ value }) => value ?? null));
  return [...variables].find((name) => texts.includes(`{${name}}`));
}
