import { mean, sorted } from "../samples/moments.ts";
import type { Observation } from "../observation.ts";
import { groupBy } from "../../../support/structures/group-by.ts";

export interface QueryRuns {
  readonly a: readonly Observation[];
  readonly b: readonly Observation[];
}

export interface RunsByQuery {
  /** Queries with runs in both groups, sorted by name. */
  readonly shared: readonly QueryRuns[];
  /**
   * Number of queries with runs in group a but not in group b. `onlyB` counts the queries with runs only in
   * group b.
   */
  readonly onlyA: number;
  readonly onlyB: number;
  /** Number of runs that are not compared, because their query is unknown. */
  readonly withoutQuery: number;
  readonly overlap: number;
}

/** Name of the query in a report about a single query, whose runs have no `query`. */
const only = "";

function byQuery(runs: readonly Observation[]): Map<string, Observation[]> {
  return groupBy(runs, ({ query }) => (query === null ? undefined : (query ?? only)));
}

function overlapOf(a: readonly Observation[], b: readonly Observation[]): number {
  const ids = new Set(a.flatMap(({ runId }) => runId ?? []));
  return new Set(b.flatMap(({ runId }) => (runId !== undefined && ids.has(runId) ? [runId] : []))).size;
}

export function pairByQuery(a: readonly Observation[], b: readonly Observation[]): RunsByQuery {
  const [ofA, ofB] = [byQuery(a), byQuery(b)];
  const shared = [...ofA.keys()].filter((query) => ofB.has(query)).sort();
  return {
    shared: shared.map((query) => ({ a: ofA.get(query) ?? [], b: ofB.get(query) ?? [] })),
    onlyA: ofA.size - shared.length,
    onlyB: ofB.size - shared.length,
    withoutQuery: [...a, ...b].filter(({ query }) => query === null).length,
    overlap: overlapOf(a, b),
  };
}

/** Returns the known values of the runs, with one list for each query. */
export function clustersOf(
  runs: readonly Observation[],
  valueOf: (run: Observation) => number | null,
): readonly Float64Array[] {
  return [...byQuery(runs).values()].map((group) =>
    Float64Array.from(group.flatMap((run) => valueOf(run) ?? [])),
  );
}

/** Returns the mean value of each query's runs. A query without a known value is left out. */
export function meansByQuery(
  runs: readonly Observation[],
  valueOf: (run: Observation) => number | null,
): ReadonlyMap<string, number> {
  const means = new Map<string, number>();
  for (const [query, group] of byQuery(runs)) {
    // Values are sorted, because rounding errors of a sum depend on the order.
    const centre = mean(sorted(group.flatMap((run) => valueOf(run) ?? [])));
    if (centre !== null) means.set(query, centre);
  }
  return means;
}
