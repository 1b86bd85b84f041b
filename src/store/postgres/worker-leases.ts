import type { Pool } from "pg";
import { inTransaction } from "./connection.ts";
import { lockWriting } from "./schema.ts";
import { markSplit } from "./split-traces.ts";

export interface WorkerLeasesOptions {
  readonly pool: Pool;
  /** Resolves when the tables exist; rejects if the database is unreachable. */
  readonly ready: () => Promise<void>;
  readonly worker: string;
  /** Counts traces when it becomes known that their spans reached several processes. */
  readonly onSplit: (traces: number) => void;
}

const GATHER_MS = 200;
const POLL_MS = 1_000;
const AGAIN_MS = 2_000;
/** Maximum number of traces in one statement. */
const AT_A_TIME = 2_000;
/**
 * Maximum number of ids in each of two generations. When the current generation is full, it becomes the previous generation, and the ids of
 * the old previous generation are forgotten.
 */
const HALF = 100_000;
/**
 * Milliseconds by which the periods of two successive polls overlap, because a row becomes visible later than the time that it contains.
 */
const OVERLAP_MS = 30_000;

/**
 * Finds traces whose spans reached several processes, for example after scaling or a crash. Each process records in the database which
 * traces it has spans of. Evaluation does not wait for this. While the database is unreachable, no such traces are found.
 */
export class WorkerLeases {
  readonly #options: WorkerLeasesOptions;
  #young = new Set<string>();
  #old: ReadonlySet<string> = new Set();
  readonly #split = new Set<string>();
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #pollTimer: NodeJS.Timeout | undefined;
  #polledMs = 0;
  #isClosed = false;
  #working: Promise<void> = Promise.resolve();

  constructor(options: WorkerLeasesOptions) {
    this.#options = options;
    this.#pollTimer = setInterval(() => this.#do(() => this.#poll()), POLL_MS).unref();
  }

  /** Records that spans of these traces have arrived in this process. */
  seen(traceIds: Iterable<string>): void {
    if (this.#isClosed) return;
    for (const id of traceIds) {
      if (this.#young.has(id) || this.#old.has(id)) continue;
      this.#young.add(id);
      if (this.#waiting.length < HALF) this.#waiting.push(id);
    }
    if (this.#young.size >= HALF) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    if (this.#waiting.length > 0) this.#later(GATHER_MS);
  }

  /** Whether another process is known to have spans of one of these traces. */
  isSplit(traceIds: readonly string[]): boolean {
    return this.#split.size > 0 && traceIds.some((id) => this.#split.has(id));
  }

  /** Stops polling, and attempts once to write the waiting trace ids. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pollTimer);
    await this.#working;
    if (this.#waiting.length > 0) await this.#write().catch(() => undefined);
  }

  #later(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#do(() => this.#writeAll());
    }, delayMs).unref();
  }

  /** Runs database work after all earlier work of this object has ended. If the work fails, the waiting trace ids are written later. */
  #do(work: () => Promise<void>): void {
    this.#working = this.#working.then(work).catch(() => {
      if (!this.#isClosed && this.#waiting.length > 0) this.#later(AGAIN_MS);
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#write();
  }

  async #write(): Promise<void> {
    const { pool, ready, worker } = this.#options;
    await ready();
    const ids = this.#waiting.slice(0, AT_A_TIME);
    const { rows } = await pool.query<{ trace_id: string; split: boolean }>(
      `INSERT INTO tracejury.holders AS h (trace_id, workers, seen_ms)
       SELECT id, ARRAY[$2], ${NOW_MS} FROM (SELECT DISTINCT unnest($1::text[]) AS id ORDER BY 1) AS given
       ON CONFLICT (trace_id) DO UPDATE SET
         workers = CASE WHEN h.workers @> excluded.workers THEN h.workers ELSE h.workers || excluded.workers END,
         seen_ms = excluded.seen_ms,
         split_ms = CASE WHEN h.workers @> excluded.workers THEN h.split_ms ELSE coalesce(h.split_ms, ${NOW_MS}) END
       RETURNING trace_id, split_ms IS NOT NULL AS split`,
      [ids, worker],
    );
    this.#waiting = this.#waiting.slice(ids.length);
    const split = rows.filter((row) => row.split).map((row) => row.trace_id);
    this.#found(split);
    if (split.length === 0) return;
    await inTransaction(pool, async (client) => {
      await lockWriting(client);
      await markSplit(client, split);
    });
  }

  /** Reads which traces of this process also have spans in other processes. */
  async #poll(): Promise<void> {
    const { pool, ready, worker } = this.#options;
    await ready();
    const { rows } = await pool.query<{ trace_id: string; split_ms: string }>(
      `SELECT trace_id, split_ms FROM tracejury.holders
       WHERE split_ms > $1 AND workers @> ARRAY[$2] ORDER BY split_ms DESC LIMIT 10000`,
      [this.#polledMs - OVERLAP_MS, worker],
    );
    this.#polledMs = Math.max(this.#polledMs, Number(rows[0]?.split_ms ?? 0));
    this.#found(rows.map((row) => row.trace_id));
  }

  #found(traceIds: readonly string[]): void {
    const news = traceIds.filter((id) => !this.#split.has(id));
    for (const id of news) this.#split.add(id);
    for (const oldest of this.#split) {
      if (this.#split.size <= HALF) break;
      this.#split.delete(oldest);
    }
    if (news.length > 0) this.#options.onSplit(news.length);
  }
}

/** SQL for the current time in Unix milliseconds, by the database's clock, which is the same for all processes. */
const NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
