import { mean, sorted } from "../samples/moments.ts";
import type { Observation } from "../observation.ts";
import { groupBy } from "../../../support/structures/group-by.ts";

export interface QueryRuns {
  readonly a: readonly Observation[];
  readonly b: readonly Observation[];
}

/** Runs of two groups, query by query. */
export interface RunsByQuery {
  /** Queries with runs in both groups, sorted by name. */
  readonly shared: readonly QueryRuns[];
  /** Number of queries with runs in group a only. `onlyB` is the number for group b. */
  readonly onlyA: number;
  readonly onlyB: number;
  /** Number of runs with an unknown query, which are left out of comparisons. */
  readonly withoutQuery: number;
  /** Number of runs that belong to both groups. */
  readonly overlap: number;
}

/** Query name of runs without a `query`, in a report about a single query. */
const only = "";

function byQuery(runs: readonly Observation[]): Map<string, Observation[]> {
  return groupBy(runs, ({ query }) => (query === null ? undefined : (query ?? only)));
}

function overlapOf(a: readonly Observation[], b: readonly Observation[]): number {
  const ids = new Set(a.flatMap(({ runId }) => runId ?? []));
  return new Set(b.flatMap(({ runId }) => (runId !== undefined && ids.has(runId) ? [runId] : []))).size;
}

/** Groups the runs of two groups by query. */
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

/** Returns the values of the runs as one cluster for each query. */
export function clustersOf(
  runs: readonly Observation[],
  valueOf: (run: Observation) => number | null,
): readonly Float64Array[] {
  return [...byQuery(runs).values()].map((group) =>
    Float64Array.from(group.flatMap((run) => valueOf(run) ?? [])),
  );
}

/** Returns the mean of the runs of each query. Queries without a known value are left out. */
export function meansByQuery(
  runs: readonly Observation[],
  valueOf: (run: Observation) => number | null,
): ReadonlyMap<string, number> {
  const means = new Map<string, number>();
  for (const [query, group] of byQuery(runs)) {
    // Values are sorted, so that the order of the runs has no effect on rounding.
    const centre = mean(sorted(group.flatMap((run) => valueOf(run) ?? [])));
    if (centre !== null) means.set(query, centre);
  }
  return means;
}
