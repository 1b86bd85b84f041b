import { foldName } from "../evaluate/fold-name.ts";
import type { AgentRun } from "../model/run.ts";
import type { Verdict } from "../model/verdict.ts";
import { Allowance } from "./allowance.ts";
import { Ring } from "./ring.ts";
import type { StoredVerdict, VerdictFilter, VerdictPage, VerdictStore } from "./store.ts";

export interface RecentStoreOptions {
  /** The verdict object and the run object of the command line. */
  readonly renderVerdict: (verdict: Verdict) => object;
  readonly renderRun: (run: AgentRun) => object;
  readonly mostVerdicts?: number;
  readonly mostRuns?: number;
  /** Of JSON text, over all. */
  readonly mostBytes?: number;
  readonly now?: () => number;
}

/**
 * The last verdicts and runs, in memory. Text is kept instead of objects, because a run holds on to the bodies it came in. Rendering
 * takes time, so under more load than anybody can look at only some are taken: passed ones give way to the others.
 */
export interface RecentStore extends VerdictStore {
  addVerdict(verdict: Verdict, judgedUnixMs: number): void;
  addRun(run: AgentRun): void;
  /** Verdicts and runs that were not taken. */
  readonly leftOut: number;
}

const perSecond = 50;

export function createRecentStore(options: RecentStoreOptions): RecentStore {
  const { renderVerdict, renderRun, mostVerdicts = 2000, mostRuns = 1000, now = Date.now } = options;
  const mostBytes = (options.mostBytes ?? 64 * 1024 * 1024) / 2;
  const verdicts = new Ring<StoredVerdict>(mostVerdicts, mostBytes);
  const runs = new Ring<{ readonly json: string }>(mostRuns, mostBytes);
  const good = new Allowance(mostVerdicts, perSecond);
  const bad = new Allowance(mostVerdicts, perSecond);
  const anyRun = new Allowance(mostRuns, perSecond);
  let leftOut = 0;
  return {
    addVerdict: (verdict, judgedUnixMs) => {
      const isGood = verdict.outcome === "pass" || verdict.outcome === "skip";
      if (!(isGood ? good : bad).take(now())) return void leftOut++;
      const json = JSON.stringify(renderVerdict(verdict));
      verdicts.put(`${verdict.verdictId}#${verdict.revision}`, stored(verdict, judgedUnixMs, json));
    },
    addRun: (run) => {
      if (!anyRun.take(now())) return void leftOut++;
      runs.put(run.runId, { json: JSON.stringify(renderRun(run)) });
    },
    get leftOut() {
      return leftOut;
    },
    verdicts: (filter, limit, cursor) => Promise.resolve(page(verdicts, filter, limit, cursor)),
    verdict: (verdictId, revision) => Promise.resolve(find(verdicts, verdictId, revision)),
    run: (runId) => {
      const run = runs.get(runId);
      if (run === undefined) return Promise.resolve(undefined);
      const all = [...verdicts.newestFirst()].map(([, verdict]) => verdict);
      return Promise.resolve({ json: run.json, verdicts: all.filter((one) => one.runId === runId) });
    },
  };
}

function stored(verdict: Verdict, judgedUnixMs: number, json: string): StoredVerdict {
  const { verdictId, revision, outcome, queryId, spec, run } = verdict;
  const { agent, runId, traceIds } = run;
  return { verdictId, revision, outcome, agent, queryId, spec, runId, traceIds, judgedUnixMs, json };
}

function find(
  ring: Ring<StoredVerdict>,
  verdictId: string,
  revision: number | null,
): StoredVerdict | undefined {
  if (revision !== null) return ring.get(`${verdictId}#${revision}`);
  let newest: StoredVerdict | undefined;
  for (const [, verdict] of ring.newestFirst()) {
    if (verdict.verdictId === verdictId && verdict.revision > (newest?.revision ?? -1)) newest = verdict;
  }
  return newest;
}

function page(
  ring: Ring<StoredVerdict>,
  filter: VerdictFilter,
  limit: number,
  cursor: string | null,
): VerdictPage | undefined {
  const below = cursor === null ? Infinity : numberOf(cursor);
  if (below === undefined) return undefined;
  const verdicts: StoredVerdict[] = [];
  let last = below;
  for (const [number, verdict] of ring.newestFirst()) {
    if (number >= below || !matches(verdict, filter)) continue;
    if (verdicts.length === limit) return { verdicts, next: last.toString(36) };
    verdicts.push(verdict);
    last = number;
  }
  return { verdicts, next: null };
}

function numberOf(cursor: string): number | undefined {
  return /^[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor, 36) : undefined;
}

function matches(verdict: StoredVerdict, filter: VerdictFilter): boolean {
  const { outcome, agent, query, spec, trace, run } = filter;
  return (
    (outcome === undefined || verdict.outcome === outcome) &&
    (agent === undefined || (verdict.agent !== null && foldName(verdict.agent) === foldName(agent))) &&
    (query === undefined || verdict.queryId === query) &&
    (spec === undefined || verdict.spec === spec) &&
    (trace === undefined || verdict.traceIds.includes(trace.toLowerCase())) &&
    (run === undefined || verdict.runId === run)
  );
}
