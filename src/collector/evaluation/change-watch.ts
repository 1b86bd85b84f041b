import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { trendOfQuery } from "../../interfaces/api/trend-of-query.ts";
import { isWorse } from "../../report/render/changes/change-text.ts";
import { recordedChange } from "../../report/render/changes/recorded-change.ts";
import { newChanges } from "../../report/statistics/change-points/new-changes.ts";
import type { ExplainedChange, TrendMeasure } from "../../report/statistics/change-points/trend.ts";
import type { Archive } from "../../store/archive.ts";
import type { ChangeRecord } from "../../store/recorded-changes.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Maximum age, in milliseconds, of the verdicts that the trend analysis reads. */
const WINDOW_MS = 30 * DAY_MS;
/** At the first examination of a query, changes older than this many milliseconds are recorded but not published. */
const NEWS_MS = 7 * DAY_MS;
const MOST_CHANGES = 1_000;

export interface ChangeWatchOptions {
  readonly archive: Pick<
    Archive,
    | "sums"
    | "timedVerdicts"
    | "runSettings"
    | "changes"
    | "claimLook"
    | "addChange"
    | "claimUnsent"
    | "markSent"
  >;
  /** Interval between two examinations of a query, in milliseconds. */
  readonly everyMs: number;
  /** Publishes a change, and calls `done` when each destination has received, stored or dropped the change. */
  readonly publish: (change: object, done: () => void) => void;
  /** Counts a new change. If several processes share the store, only the process that finds the change first calls this. */
  readonly onFound: (about: {
    readonly spec: string;
    readonly query: string;
    readonly measure: TrendMeasure;
    readonly isWorse: boolean;
  }) => void;
  readonly onError: (error: Error) => void;
  /** Milliseconds after which this process publishes a change that another process recorded but did not publish. */
  readonly graceMs: number;
  readonly now?: () => number;
}

/**
 * Examines the trend of each query in the store at intervals. Each change is published by one process, even if several processes share the
 * store. After a crash, a change may be published a second time.
 */
export class ChangeWatch {
  readonly #options: ChangeWatchOptions;
  readonly #now: () => number;
  readonly #sending = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: ChangeWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#timer = setInterval(() => void this.look(), Math.min(options.everyMs, 60_000)).unref();
  }

  /** Examines all queries that are due. Resolves when they are examined, or an error has ended the examination; never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        if (!this.#isStopped) this.#options.onError(error as Error);
      })
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Starts no further examination. Resolves when a running examination has ended, or after `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    if (this.#looking === undefined) return;
    await Promise.race([this.#looking, sleep(timeoutMs, undefined, { ref: false })]);
  }

  async #look(): Promise<void> {
    const { archive, everyMs, graceMs } = this.#options;
    for (const left of await archive.claimUnsent([...this.#sending], graceMs, this.#now())) {
      if (!this.#sending.has(left.changeId)) this.#send(left);
    }
    const now = this.#now();
    // Only queries with new verdicts are examined, because the trend of other queries cannot have changed.
    const since = now - Math.max(2 * everyMs, 2 * HOUR_MS);
    for (const { spec, query_id: query, agents } of await archive.sums({ since, until: now + 1 }, null)) {
      if (this.#isStopped) return;
      const beganMs = performance.now();
      const firstMs = await archive.claimLook({ spec, query }, everyMs, now);
      if (firstMs === undefined) continue;
      await this.#lookAt({ spec, query, agents, isFirst: firstMs === now });
      // Sleeps for as long as the examination took, so that half of the time remains for receiving telemetry.
      await sleep(performance.now() - beganMs);
    }
  }

  async #lookAt(about: {
    readonly spec: string;
    readonly query: string;
    readonly agents: readonly string[];
    readonly isFirst: boolean;
  }): Promise<void> {
    const { archive } = this.#options;
    const { spec, query, isFirst } = about;
    const now = this.#now();
    const trend = await trendOfQuery(archive, { spec, query, since: now - WINDOW_MS, until: now + 1 });
    const known = [...(await archive.changes({ spec, query }, MOST_CHANGES))];
    const found = trend.measures.flatMap(({ measure, changes }) =>
      changes.map((change) => ({ ...change, measure })),
    );
    for (const { measure, ...change } of newChanges(found, known, trend.binMs)) {
      const record = recordOf(change, { ...about, measure, known, foundUnixMs: now });
      const isNews = !isFirst || change.highUnixMs >= now - NEWS_MS;
      if (!(await archive.addChange(record, isNews ? null : now))) continue;
      known.push(record);
      this.#options.onFound({ spec, query, measure, isWorse: isWorse(measure, change) });
      if (isNews) this.#send(record);
    }
  }

  #send({ changeId, json }: ChangeRecord): void {
    const { archive, publish, onError } = this.#options;
    this.#sending.add(changeId);
    publish(JSON.parse(json) as object, () => {
      archive
        .markSent(changeId, this.#now())
        .catch((error: unknown) => onError(error as Error))
        .finally(() => this.#sending.delete(changeId));
    });
  }
}

function recordOf(
  change: ExplainedChange,
  about: {
    readonly spec: string;
    readonly query: string;
    readonly agents: readonly string[];
    readonly measure: TrendMeasure;
    readonly known: readonly ChangeRecord[];
    readonly foundUnixMs: number;
  },
): ChangeRecord {
  const { spec, query: queryId, agents, measure, foundUnixMs } = about;
  const numbers = about.known.filter((one) => one.measure === measure).map(({ number }) => number);
  const number = Math.max(0, ...numbers) + 1;
  const identity = JSON.stringify([spec, queryId, measure, number, change.atUnixMs]);
  const changeId = `change-${createHash("sha256").update(identity).digest("hex").slice(0, 24)}`;
  const json = recordedChange({ changeId, spec, queryId, agents, measure, foundUnixMs }, change);
  return {
    changeId,
    spec,
    queryId,
    measure,
    number,
    foundUnixMs,
    direction: change.direction,
    lowUnixMs: change.lowUnixMs,
    highUnixMs: change.highUnixMs,
    json: JSON.stringify(json),
  };
}
