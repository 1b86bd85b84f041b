import type { QueryEdit } from "./edit-query.ts";

/** Why a text of a run cannot be written as `query:` or `agent:` of a spec. */
export const notLiteral = 'a spec reads "*" as "any", so no query can be about this text alone';

/**
 * Whether a spec reads a text of a run literally. Other texts must not be written, because senders of telemetry could then change the
 * meaning of a spec. Everything except the wildcard is literal.
 */
export function isLiteral(text: string): boolean {
  return text.trim() !== "*";
}

/** The variable that a text would insert as `{name}`; undefined if the text is literal. */
export function variableIn(edits: readonly QueryEdit[], variables: ReadonlySet<string>): string | undefined {
  const texts = JSON.stringify(edits.map(({ value }) => value ?? null));
  return [...variables].find((name) => texts.includes(`{${name}}`));
}
