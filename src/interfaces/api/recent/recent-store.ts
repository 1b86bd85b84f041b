import { foldName } from "../../../evaluate/rules/fold-name.ts";
import { faultOf } from "../../../model/fault.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { Verdict } from "../../../model/verdict.ts";
import type { Batch } from "../../../otlp/rows/batch.ts";
import { faultyRun } from "../../../pipeline/faults/faulty-run.ts";
import { Allowance } from "../http/allowance.ts";
import { Ring } from "./ring.ts";
import type { StoredVerdict, VerdictFilter, VerdictPage, VerdictStore } from "../../../store/archive.ts";
import { ReferenceCountedBatches } from "../../../assemble/batches/reference-counted-batches.ts";
import { errorVerdict } from "../../../evaluate/result/error-evaluation.ts";
import type { Outcome } from "../../../model/outcome.ts";

/** A verdict or run. Until `write` is called, its JSON is rendered for each request; `write` stores the JSON as text. */
class Kept {
  #render: (() => string) | undefined;
  readonly #renderError: (error: unknown) => string;
  #text = "";

  /** @param renderError renders a substitute if `render` throws, so that one result cannot make a whole response fail */
  constructor(render: () => string, renderError: (error: unknown) => string) {
    this.#render = render;
    this.#renderError = renderError;
  }

  get json(): string {
    if (this.#render === undefined) return this.#text;
    try {
      return this.#render();
    } catch (error) {
      return this.#renderError(error);
    }
  }

  /** Renders the JSON text and keeps it in memory. Releases the objects from which the text was rendered. */
  write(): void {
    this.#text = this.json;
    this.#render = undefined;
  }

  /** Number of characters of the stored text. Returns 0 before `write` is called. */
  get size(): number {
    return this.#text.length;
  }
}

class RetainedVerdict extends Kept implements StoredVerdict {
  readonly verdictId: string;
  readonly revision: number;
  readonly outcome: Outcome;
  readonly agent: string | null;
  readonly queryId: string;
  readonly spec: string;
  readonly runId: string;
  readonly traceIds: readonly string[];
  readonly judgedUnixMs: number;
  /** Whether the verdict is about a conversation, whose id is that of its first run. */
  readonly isOfConversation: boolean;

  constructor(verdict: Verdict, judgedUnixMs: number, render: (verdict: Verdict) => string) {
    super(
      () => render(verdict),
      (error) => {
        const fault = faultOf("publish", error);
        return render(errorVerdict(verdict, faultyRun(verdict.run, fault), fault));
      },
    );
    const { agent, runId, traceIds } = verdict.run;
    this.verdictId = verdict.verdictId;
    this.revision = verdict.revision;
    this.outcome = verdict.outcome;
    this.agent = agent;
    this.queryId = verdict.queryId;
    this.spec = verdict.spec;
    this.runId = runId;
    this.traceIds = traceIds;
    this.judgedUnixMs = judgedUnixMs;
    this.isOfConversation = verdict.run.turns !== undefined;
  }

  get key(): string {
    return `${this.verdictId}#${this.revision}`;
  }

  get isGood(): boolean {
    return this.outcome === "pass" || this.outcome === "skip";
  }
}

/**
 * Results that are not rendered yet. Such a result retains request bodies in memory, so the number of results and their bytes are limited.
 * If a limit is exceeded, the oldest results are rendered and stored as text.
 */
class UnwrittenResults {
  readonly #mostBytes: number;
  readonly #pinned = new ReferenceCountedBatches();
  /** Results that are not rendered, in a ring buffer. A JavaScript `Set` would retain the memory of removed entries for some time. */
  readonly #places: (Unwritten | undefined)[];
  #oldest = 0;
  #count = 0;

  constructor(most: number, mostBytes: number) {
    this.#places = Array.from({ length: most }, () => undefined);
    this.#mostBytes = mostBytes;
  }

  /** Adds a result. `write` is called exactly once, now or later. */
  add(batches: ReadonlySet<Batch>, write: () => void): void {
    if (this.#count === this.#places.length) this.#writeOldest();
    this.#places[(this.#oldest + this.#count++) % this.#places.length] = { batches, write };
    for (const batch of batches) this.#pinned.pin(batch);
    while (this.#count > 0 && this.#pinned.bytes > this.#mostBytes) this.#writeOldest();
  }

  #writeOldest(): void {
    const oldest = this.#places[this.#oldest];
    if (oldest === undefined) return;
    this.#places[this.#oldest] = undefined;
    this.#oldest = (this.#oldest + 1) % this.#places.length;
    this.#count--;
    for (const batch of oldest.batches) this.#pinned.unpin(batch);
    oldest.write();
  }
}

export interface RecentStoreOptions {
  /** Renders a verdict as the command line writes it in JSON. */
  readonly renderVerdict: (verdict: Verdict) => string;
  readonly renderRun: (run: AgentRun) => string;
  readonly mostVerdicts?: number;
  readonly mostRuns?: number;
  /**
   * Limit of memory in bytes: one third for texts of verdicts, one third for texts of runs, and one third for request bodies that
   * unrendered results retain.
   */
  readonly mostBytes?: number;
  readonly now?: () => number;
}

/**
 * The newest verdicts and runs, in memory. A run retains its request bodies in memory, so only the newest runs are stored as objects; older
 * runs are stored as text. Under high load, some results are dropped. Passed verdicts and other verdicts have separate limits, so that many
 * passes do not displace failures.
 */
export interface RecentStore extends VerdictStore {
  /**
   * Adds a result. `shown` is the run if it must be listed among the runs, otherwise undefined.
   * @param batches decoded requests from which the run was assembled
   */
  add(
    judged: { readonly shown: AgentRun | undefined; readonly verdicts: readonly Verdict[] },
    batches: ReadonlySet<Batch>,
    judgedUnixMs: number,
  ): void;
  /** Number of verdicts and runs that were dropped because of high load; those that exceeded the size limit are not counted. */
  readonly leftOut: number;
}

/**
 * Maximum number of unrendered results. With a larger number, the results and the requests that they reference would survive minor garbage
 * collections.
 */
const MOST_UNWRITTEN = 32;
const BURST = 500;
const PER_SECOND = 10;

export function createRecentStore(options: RecentStoreOptions): RecentStore {
  const { renderVerdict, renderRun, mostVerdicts = 2000, mostRuns = 1000, now = Date.now } = options;
  const mostBytes = (options.mostBytes ?? 64 * 1024 * 1024) / 3;
  const verdicts = new Ring<RetainedVerdict>(mostVerdicts, mostBytes);
  const runs = new Ring<Kept>(mostRuns, mostBytes);
  const unwritten = new UnwrittenResults(MOST_UNWRITTEN, mostBytes);
  const good = new Allowance(BURST, PER_SECOND);
  const bad = new Allowance(BURST, PER_SECOND);
  const anyRun = new Allowance(BURST, PER_SECOND);
  let leftOut = 0;
  const write = <Entry extends Kept>(ring: Ring<Entry>, key: string, entry: Entry, few: Allowance): void => {
    if (ring.get(key) !== entry) return;
    if (few.take(now())) {
      entry.write();
      ring.resized(key);
    } else {
      ring.drop(key);
      leftOut++;
    }
  };
  const forget = (runIds: readonly string[]): void => {
    for (const id of runIds) runs.drop(id);
    const gone = [...verdicts.newestFirst()].filter(([, { runId }]) => runIds.includes(runId));
    for (const [, { key }] of gone) verdicts.drop(key);
  };
  /** Forgets the verdicts of a run that late spans changed so that the verdict's query or spec no longer matches the run. */
  const forgetStale = (run: string, kept: readonly RetainedVerdict[]): void => {
    const ids = new Set(kept.map(({ verdictId }) => verdictId));
    const stale = [...verdicts.newestFirst()].filter(
      ([, { runId, verdictId, isOfConversation }]) =>
        runId === run && !isOfConversation && !ids.has(verdictId),
    );
    for (const [, { key }] of stale) verdicts.drop(key);
  };
  return {
    add: ({ shown, verdicts: given }, batches, judgedUnixMs) => {
      const run = shown === undefined ? undefined : keptRun(shown, renderRun);
      const kept = given.map((verdict) => new RetainedVerdict(verdict, judgedUnixMs, renderVerdict));
      const [, ...replaced] = shown?.replaces ?? [];
      if (replaced.length > 0) forget(replaced);
      if (shown !== undefined && run !== undefined) runs.put(shown.runId, run);
      if (shown?.replaces !== undefined) forgetStale(shown.runId, kept);
      for (const verdict of kept) verdicts.put(verdict.key, verdict);
      unwritten.add(batches, () => {
        if (shown !== undefined && run !== undefined) write(runs, shown.runId, run, anyRun);
        for (const one of kept) write(verdicts, one.key, one, one.isGood ? good : bad);
      });
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

function keptRun(run: AgentRun, render: (run: AgentRun) => string): Kept {
  return new Kept(
    () => render(run),
    (error) => render(faultyRun(run, faultOf("publish", error))),
  );
}

function find(
  ring: Ring<RetainedVerdict>,
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
  ring: Ring<RetainedVerdict>,
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

interface Unwritten {
  readonly batches: ReadonlySet<Batch>;
  readonly write: () => void;
}
