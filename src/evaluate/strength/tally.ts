import { limitsFailures, type ReliabilityLimits } from "../../report/statistics/groups/reliability.ts";
import { type RepeatedStrength, repeatedStrength } from "./repeated.ts";
import type { Trial } from "./strength.ts";

/** Outcomes of a query's mutants over all its runs. */
export interface QueryStrength {
  readonly spec: string;
  readonly queryId: string;
  /** Runs that passed, and were mutated. */
  readonly runs: number;
  /** Runs that did not pass: they show nothing. */
  readonly leftOut: number;
  readonly killed: number;
  /** Not noticed by a deterministic check; the query's judges, which were not called, might notice it. */
  readonly leftToJudges: number;
  readonly survived: number;
  /** killed / (killed + survived); null without mutants. */
  readonly strength: number | null;
  /** How many mutants each check noticed, by layer and key, the busiest first. */
  readonly kills: ReadonlyMap<string, number>;
  /** Mutants that no check noticed. */
  readonly survivors: readonly Trial[];
  /** Set for a query whose gate replaces failures of single runs; null for others. */
  readonly repeated: RepeatedStrength | null;
}

/** A query whose runs were tried, with the limits of its `reliability:`. */
export interface TriedQuery {
  readonly spec: string;
  readonly queryId: string;
  readonly reliability?: ReliabilityLimits | undefined;
}

export interface TriedRun {
  readonly spec: string;
  readonly queryId: string;
  /** Undefined: the run did not pass. */
  readonly trials: readonly Trial[] | undefined;
}

/** Sums up by query, queries in the order of `queries`, runs in that of their ids; those without runs included. */
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
  const kills = new Map<string, number>();
  for (const key of trials.flatMap(({ by }) => [...new Set(by)])) kills.set(key, (kills.get(key) ?? 0) + 1);
  return new Map([...kills].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}
