import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { normaliseText } from "./rules/normalise.ts";

/** Selection by `--query` and `--tags`; empty lists select everything. */
export interface Selection {
  /** Query ids, or texts as people type them. */
  readonly queries: readonly string[];
  /** A query with at least one of these tags is selected. */
  readonly tags: readonly string[];
}

export interface SpecQuery {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
}

/**
 * Returns the queries to evaluate. A run is matched against all queries, and evaluated if the matched query
 * is selected. Otherwise a wildcard would match runs of unselected queries.
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

/** Returns the values of `--query` that select no query, which are mostly typing errors. */
export function unknownQueries(specs: readonly CompiledSpec[], queries: readonly string[]): string[] {
  return queries.filter((one) => selectQueries(specs, { queries: [one], tags: [] }).length === 0);
}

/** Returns the selected queries without a matching run. Wildcard queries are not returned. */
export function missingQueries(
  selected: readonly SpecQuery[],
  matched: ReadonlySet<CompiledQuery>,
): SpecQuery[] {
  return selected.filter(({ query }) => query.text !== "*" && !matched.has(query));
}
