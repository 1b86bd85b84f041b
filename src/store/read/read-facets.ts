import sql, { raw } from "sql-template-tag";
import { foldName } from "../../evaluate/rules/fold-name.ts";
import { type FacetName, facetNames, type FacetValue, type RunFacets, type RunFilter } from "../archive.ts";
import { allOf, type Dialect, type Row, type Steps } from "../sql/dialect.ts";
import { textOrNull, textsIn } from "../write/row-values.ts";
import { commonConditions } from "./run-conditions.ts";

/** Maximum number of runs that are counted, newest first. */
const MOST_COUNTED = 100_000;
/** Maximum number of facet combinations that are counted, most frequent first. */
const MOST_COMBINATIONS = 20_000;
const MOST_VALUES = 50;
/** Maximum number of values of the facet `query`. The number is high, because each row of a table spec is a query. */
const MOST_QUERIES = 1_000;

const columns = raw("outcome, agent, service, models, version, unmet_checks, query_ids");

/** Counts runs by facet. The database groups the runs with equal facets. */
export function* facetsOf(dialect: Dialect, filter: RunFilter): Steps<RunFacets> {
  const runs = raw(`${dialect.prefix}runs`);
  const where = allOf(sql`seen_ms >= 0`, ...commonConditions(dialect, filter));
  const rows = yield sql`
    SELECT ${columns}, count(*) AS runs
    FROM (SELECT ${columns} FROM ${runs} WHERE ${where} ORDER BY seen_ms DESC LIMIT ${MOST_COUNTED}) newest
    GROUP BY ${columns} ORDER BY runs DESC LIMIT ${MOST_COMBINATIONS}`;
  return countFacets(rows, filter);
}

/**
 * Counts runs for each value of each facet.
 * @param rows combinations of facet values, each with its number of `runs`
 */
function countFacets(rows: readonly Row[], filter: RunFilter): RunFacets {
  const wanted = wantedValues(filter);
  const counts = new Map(facetNames.map((name) => [name, new Map<string, FacetValue>()]));
  let total = 0;
  let counted = 0;
  for (const row of rows) {
    const runs = Number(row["runs"]);
    const values = facetValues(row);
    const misses = facetNames.filter((name) => !fits(name, values[name], wanted[name]));
    counted += runs;
    if (misses.length === 0) total += runs;
    if (misses.length > 1) continue;
    for (const name of misses.length === 0 ? facetNames : misses) count(counts.get(name), values[name], runs);
  }
  const facets = Object.fromEntries(
    facetNames.map((name) => [name, mostFrequent(name, counts.get(name), wanted[name])]),
  ) as Record<FacetName, FacetValue[]>;
  return { total, is_partial: counted >= MOST_COUNTED || rows.length >= MOST_COMBINATIONS, facets };
}

function wantedValues(filter: RunFilter): Readonly<Record<FacetName, readonly string[]>> {
  const { outcome, query, check, agent, modelName: model, service, version } = filter;
  const lists = Object.entries({ outcome, query, check, agent, model, service, version }).map(
    ([name, given]) => [name, given === undefined ? [] : [given].flat()],
  );
  return Object.fromEntries(lists) as Record<FacetName, string[]>;
}

function facetValues(row: Row): Readonly<Record<FacetName, readonly string[]>> {
  const one = (column: string): string[] => {
    const text = textOrNull(row[column]);
    return text === null ? [] : [text];
  };
  const outcome = one("outcome");
  return {
    outcome: outcome.length === 0 ? ["none"] : outcome,
    query: textsIn(row["query_ids"]),
    check: textsIn(row["unmet_checks"]),
    agent: one("agent"),
    model: textsIn(row["models"]),
    service: one("service"),
    version: one("version"),
  };
}

function fits(name: FacetName, values: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const keys = new Set(wanted.map((value) => keyOf(name, value)));
  return values.some((value) => keys.has(keyOf(name, value)));
}

/** Returns the key under which a value is counted. Spellings of an agent's name that count as equal have the same key. */
function keyOf(name: FacetName, value: string): string {
  return name === "agent" ? foldName(value) : value;
}

function count(counts: Map<string, FacetValue> | undefined, values: readonly string[], runs: number): void {
  for (const value of new Set(values)) {
    const key = value;
    const before = counts?.get(key)?.runs ?? 0;
    counts?.set(key, { value, runs: before + runs });
  }
}

/** Returns the most frequent values, and all values in the filter, even if no run has them. */
function mostFrequent(
  name: FacetName,
  counts: ReadonlyMap<string, FacetValue> = new Map(),
  wanted: readonly string[],
): FacetValue[] {
  const merged = new Map<string, FacetValue>();
  for (const { value, runs } of [...counts.values()].toSorted((a, b) => b.runs - a.runs)) {
    const key = keyOf(name, value);
    const first = merged.get(key);
    merged.set(key, { value: first?.value ?? value, runs: (first?.runs ?? 0) + runs });
  }
  const sorted = [...merged.entries()].toSorted(([, a], [, b]) => b.runs - a.runs);
  const shown = new Map(sorted.slice(0, name === "query" ? MOST_QUERIES : MOST_VALUES));
  for (const value of wanted) {
    const key = keyOf(name, value);
    if (!shown.has(key)) shown.set(key, merged.get(key) ?? { value, runs: 0 });
  }
  return [...shown.values()];
}
