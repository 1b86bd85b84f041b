import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { normaliseText } from "./rules/normalise.ts";

/** What `--query` and `--tags` ask for; empty lists ask for everything. */
export interface Selection {
  /** Ids, or texts as people retype them. */
  readonly queries: readonly string[];
  /** A query with any of them is selected. */
  readonly tags: readonly string[];
}

export interface SpecQuery {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
}

/**
 * The queries to judge. Runs are matched against all queries and judged when theirs is selected: were the others left out, a
 * wildcard would claim their runs.
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

/** What of `--query` names no query of any spec, mostly a slip of the pen. */
export function unknownQueries(specs: readonly CompiledSpec[], queries: readonly string[]): string[] {
  return queries.filter((one) => selectQueries(specs, { queries: [one], tags: [] }).length === 0);
}

/** The selected queries that no run was matched to; a wildcard is never missing. */
export function missingQueries(
  selected: readonly SpecQuery[],
  matched: ReadonlySet<CompiledQuery>,
): SpecQuery[] {
  return selected.filter(({ query }) => query.text !== "*" && !matched.has(query));
}
