import { normaliseText } from "../../match/rules/normalise.ts";
import type { VerdictJson } from "./verdict-schema.ts";

/** Spec and query of a judged run, and the query text of the run. */
export interface JudgedQuery {
  readonly spec: string;
  readonly queryId: string;
  /** Whether the query is `"*"`, which matches every text. */
  readonly isWildcard: boolean;
  readonly text: string | null;
}

/**
 * Returns a key that is equal for runs that may be compared. The key is the query; for `"*"`, the key also
 * contains the normalised text of the run. Returns null for a `"*"` run without a text.
 */
export function queryUnit({ spec, queryId, isWildcard, text }: JudgedQuery): string | null {
  if (!isWildcard) return JSON.stringify([spec, queryId]);
  return text === null ? null : JSON.stringify([spec, queryId, normaliseText(text)]);
}

export function queryUnitOfJson({ spec, query_id: queryId, match, query }: VerdictJson): string | null {
  return queryUnit({ spec, queryId, isWildcard: match.how === "wildcard", text: query });
}
