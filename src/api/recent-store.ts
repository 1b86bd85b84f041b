import { foldName } from "../evaluate/fold-name.ts";
import type { AgentRun } from "../model/run.ts";
import type { Verdict } from "../model/verdict.ts";
import type { StoredVerdict, VerdictFilter, VerdictStore } from "./store.ts";

export interface RecentStoreOptions {
  /** The verdict object and the run object of the command line. */
  readonly renderVerdict: (verdict: Verdict) => object;
  readonly renderRun: (run: AgentRun) => object;
  readonly mostVerdicts?: number;
  readonly mostRuns?: number;
  /** Of JSON text, over all. */
  readonly mostBytes?: number;
}

/** The last verdicts and runs, in memory. Text is kept instead of objects, because a run holds on to the bodies it came in. */
export interface RecentStore extends VerdictStore {
  addVerdict(verdict: Verdict, judgedUnixMs: number): void;
  addRun(run: AgentRun): void;
}

export function createRecentStore(options: RecentStoreOptions): RecentStore {
  const {
    renderVerdict,
    renderRun,
    mostVerdicts = 5000,
    mostRuns = 2000,
    mostBytes = 64 * 1024 * 1024,
  } = options;
  const verdicts = new Ring<StoredVerdict>(mostVerdicts, mostBytes / 2);
  const runs = new Ring<{ readonly json: string }>(mostRuns, mostBytes / 2);
  return {
    addVerdict: (verdict, judgedUnixMs) => {
      const json = JSON.stringify(renderVerdict(verdict));
      verdicts.put(`${verdict.verdictId}#${verdict.revision}`, stored(verdict, judgedUnixMs, json));
    },
    addRun: (run) => runs.put(run.runId, { json: JSON.stringify(renderRun(run)) }),
    verdicts: (filter, limit, cursor) => Promise.resolve(page(verdicts, filter, limit, cursor)),
    verdict: (verdictId, revision) => Promise.resolve(find(verdicts, verdictId, revision)),
    run: (runId) => {
      const run = runs.get(runId);
      if (run === undefined) return Promise.resolve(undefined);
      const own = [...verdicts.newestFirst()]
        .map(([, verdict]) => verdict)
        .filter((one) => one.runId === runId);
      return Promise.resolve({ json: run.json, verdicts: own });
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

function page(ring: Ring<StoredVerdict>, filter: VerdictFilter, limit: number, cursor: string | null) {
  const below = cursor === null ? Infinity : numberOf(cursor);
  if (below === undefined) return undefined;
  const verdicts: StoredVerdict[] = [];
  let next: string | null = null;
  let last = below;
  for (const [number, verdict] of ring.newestFirst()) {
    if (number >= below || !matches(verdict, filter)) continue;
    if (verdicts.length === limit) {
      next = last.toString(36);
      break;
    }
    verdicts.push(verdict);
    last = number;
  }
  return { verdicts, next };
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

/** Keeps the newest entries within a number and a size; each has a number that only grows. */
class Ring<Entry extends { readonly json: string }> {
  readonly #mostEntries: number;
  readonly #mostBytes: number;
  readonly #entries = new Map<string, readonly [number: number, entry: Entry]>();
  #bytes = 0;
  #added = 0;

  constructor(mostEntries: number, mostBytes: number) {
    this.#mostEntries = mostEntries;
    this.#mostBytes = mostBytes;
  }

  /** An entry too large for the whole ring is not kept. */
  put(key: string, entry: Entry): void {
    this.#delete(key);
    if (entry.json.length > this.#mostBytes) return;
    this.#entries.set(key, [this.#added++, entry]);
    this.#bytes += entry.json.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#mostEntries && this.#bytes <= this.#mostBytes) break;
      this.#delete(oldest);
    }
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)?.[1];
  }

  newestFirst(): readonly (readonly [number: number, entry: Entry])[] {
    return [...this.#entries.values()].reverse();
  }

  #delete(key: string): void {
    const old = this.#entries.get(key);
    if (old === undefined) return;
    this.#bytes -= old[1].json.length;
    this.#entries.delete(key);
  }
}
