import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { normaliseText } from "./rules/normalise.ts";

/** Selection by `--query` and `--tags`. Empty lists select everything. */
export interface Selection {
  /** Query ids, or query texts as users type them. */
  readonly queries: readonly string[];
  /** A query with at least one of these tags is selected. */
  readonly tags: readonly string[];
}

export interface SpecQuery {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
}

/**
 * Returns the queries to evaluate. Runs are matched with all queries and then selected: if only selected queries were matched, a wildcard
 * would match runs of other queries.
 */
export function selectQueries(specs: readonly CompiledSpec[], selection: Selection): SpecQuery[] {
  const wanted = new Set(selection.queries);
  const texts = new Set(selection.queries.map(normaliseText));
  const tags = new Set(selection.tags);
  const isSelected = (query: CompiledQuery) =>
    (wanted.size === 0 || wanted.has(query.id) || texts.has(normaliseText(query.text))) &&
    (tags.size === 0 || query.tags.some((tag) => tags.has(tag)));
  return specs.flatMap((spec) => spec.queries.filter(isSelected).map((query) => ({ spec, query })));
}

/** Returns the values of `--query` that select no query, usually typing errors. */
export function unknownQueries(specs: readonly CompiledSpec[], queries: readonly string[]): string[] {
  return queries.filter((one) => selectQueries(specs, { queries: [one], tags: [] }).length === 0);
}

/** Returns the selected queries that no run matched, except wildcard queries. */
export function missingQueries(
  selected: readonly SpecQuery[],
  matched: ReadonlySet<CompiledQuery>,
): SpecQuery[] {
  return selected.filter(({ query }) => query.text !== "*" && !matched.has(query));
}
