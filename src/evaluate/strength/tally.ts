import { countsOf } from "../../support/structures/group-by.ts";
import { limitsFailures, type ReliabilityLimits } from "../../report/statistics/groups/reliability.ts";
import { type RepeatedStrength, repeatedStrength } from "./repeated.ts";
import type { Trial } from "./strength.ts";

/** Results of the mutants of one query, over all its runs. */
export interface QueryStrength {
  readonly spec: string;
  readonly queryId: string;
  /** Number of passing runs, from which mutants (copies with one fault) were made. */
  readonly runs: number;
  /** Number of runs that did not pass, from which no mutants were made. */
  readonly leftOut: number;
  readonly killed: number;
  /** Number of mutants that no deterministic check detected, but that the query's judges might detect. Mutation testing calls no judge. */
  readonly leftToJudges: number;
  readonly survived: number;
  /** Share of detected mutants: killed / (killed + survived); null if no mutant was killed or survived. */
  readonly strength: number | null;
  /** Number of mutants that each check detected, by "layer.check", highest first. */
  readonly kills: ReadonlyMap<string, number>;
  /** Mutants that no deterministic check detected, including the mutants that a judge might detect. */
  readonly survivors: readonly Trial[];
  /** Strength of the `reliability:` gate; null if single failed runs count instead of the gate. */
  readonly repeated: RepeatedStrength | null;
}

/** A query and the limits of its `reliability:`. */
export interface TriedQuery {
  readonly spec: string;
  readonly queryId: string;
  readonly reliability?: ReliabilityLimits | undefined;
}

export interface TriedRun {
  readonly spec: string;
  readonly queryId: string;
  /** Trials of the run's mutants; undefined if the run did not pass. */
  readonly trials: readonly Trial[] | undefined;
}

/**
 * Sums up the trials of each query, also of queries without runs. Queries are in the order of `queries`, runs in the order of their ids.
 */
export function tally(queries: readonly TriedQuery[], tried: readonly TriedRun[]): readonly QueryStrength[] {
  return queries.map(({ spec, queryId, reliability }) => {
    const own = tried.filter((run) => run.spec === spec && run.queryId === queryId);
    const passed = own.flatMap(({ trials }) => (trials === undefined ? [] : [trials])).sort(byRun);
    const trials = passed.flat();
    const killed = having(trials, "killed").length;
    const survived = having(trials, "survived").length;
    return {
      spec,
      queryId,
      runs: passed.length,
      leftOut: own.length - passed.length,
      killed,
      leftToJudges: having(trials, "judge").length,
      survived,
      strength: strengthOf(killed, survived),
      kills: killsOf(trials),
      survivors: trials.filter(({ fate }) => fate !== "killed"),
      repeated:
        reliability === undefined || !limitsFailures(reliability)
          ? null
          : repeatedStrength(reliability, passed.length, trials),
    };
  });
}

export function strengthOf(killed: number, survived: number): number | null {
  return killed + survived === 0 ? null : killed / (killed + survived);
}

function having(trials: readonly Trial[], fate: Trial["fate"]): readonly Trial[] {
  return trials.filter((trial) => trial.fate === fate);
}

function byRun(a: readonly Trial[], b: readonly Trial[]): number {
  const [first, second] = [a[0]?.runId ?? "", b[0]?.runId ?? ""];
  return first < second ? -1 : first > second ? 1 : 0;
}

function killsOf(trials: readonly Trial[]): ReadonlyMap<string, number> {
  const kills = countsOf(trials.flatMap(({ by }) => [...new Set(by)]));
  return new Map([...kills].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}
