import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolderSync } from "../../support/process/make-folder.ts";
import type { Pool } from "pg";
import type { ExportEvents } from "../../export/records/export-events.ts";
import type { DiskQueue } from "../../export/queue/disk-queue.ts";
import type { Dialect, Steps } from "../sql/dialect.ts";
import { type ReadName, type ReadResult, type Reads, readsOf, stepsOf } from "../read/reads.ts";
import type { PostgresSettings } from "../settings.ts";
import { SqlArchive } from "../sql/sql-archive.ts";
import { StoreError } from "../store-error.ts";
import type { JudgedRecord } from "../read/stored.ts";
import { inTransaction, nameOf, needsUser, openPool } from "./connection.ts";
import { WorkerLeases } from "./worker-leases.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { RecordWriter } from "./record-writer.ts";
import { lockWriting, migrate } from "./schema.ts";
import { runOver } from "./session.ts";
import { deleteRuns, oldestRuns } from "../write/delete-runs.ts";

/**
 * Milliseconds for which the database stores which processes received spans of a trace. By default, a trace is open for at most an hour
 * (`assemble.max_age`). If it is open for more than a day, these rows may be deleted too early.
 */
const HOLDERS_KEPT_MS = 86_400_000;

export interface PostgresStoreOptions {
  readonly settings: PostgresSettings & { readonly url: string };
  readonly maxAgeMs: number;
  readonly events: ExportEvents;
  readonly diskQueue: DiskQueue | undefined;
  /** Logs a warning, for example that the database cannot be used, or that spans of one trace reached several processes. */
  readonly warn: (message: string) => void;
  /** Counts traces when it becomes known that both this process and another one have received spans of them. */
  readonly onSplit?: (traces: number) => void;
  readonly now?: () => number;
}

export const NO_URL =
  "store.mode: postgres needs store.url, such as postgres://user:password@host:5432/database";

const RETAIN_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
/** Milliseconds for which the store's size is cached, because computing the size of a large database is slow. */
const SIZE_KEPT_MS = 10_000;
const WRITE_MS = 30_000;
const READ_MS = 15_000;

/**
 * Store in a PostgreSQL database that several processes can share. The store accepts records at once and writes them later, several in one
 * transaction. While the database is slow or unreachable, records wait in memory and on disk.
 */
export class PostgresStore extends SqlArchive {
  /** Id of this process among the processes that share the database. */
  readonly worker: string;
  readonly leases: WorkerLeases;
  readonly #options: PostgresStoreOptions;
  readonly #writing: Pool;
  readonly #reading: Pool;
  readonly #writer: RecordWriter;
  readonly #dialect: Dialect;
  readonly #reads: Reads;
  readonly #timers: readonly NodeJS.Timeout[];
  #splitTraces = 0;
  #newest = 0;
  #size: { readonly atMs: number; readonly value: object } = { atMs: -Infinity, value: {} };
  #migrated: Promise<void> | undefined;

  private constructor(options: PostgresStoreOptions, writing: Pool, reading: Pool) {
    const { settings, events, diskQueue } = options;
    const worker = workerId(settings.workerFile);
    const dialect = postgresDialect(worker);
    super(dialect);
    this.worker = worker;
    this.#options = options;
    this.#dialect = dialect;
    this.#reads = readsOf(dialect);
    this.#writing = writing;
    this.#reading = reading;
    this.#writer = new RecordWriter({
      route: { exporter: "postgres", signal: "runs", destination: nameOf(settings.url) },
      events,
      diskQueue,
      pool: writing,
      dialect,
      ready: () => this.#ready(),
      noTables: () => (this.#migrated = undefined),
      onWritten: () => this.announce(),
    });
    this.leases = new WorkerLeases({
      pool: writing,
      ready: () => this.#ready(),
      worker,
      onSplit: (traces) => {
        if (this.#splitTraces === 0)
          options.warn(
            "spans of one trace reached several collector processes, so checks that need all spans of the trace are incomplete: route telemetry to the processes by trace id",
          );
        this.#splitTraces += traces;
        options.onSplit?.(traces);
      },
    });
    this.#timers = [
      setInterval(() => void this.#retain(), RETAIN_EVERY_MS).unref(),
      setInterval(() => void this.#look(), LOOK_EVERY_MS).unref(),
    ];
  }

  /**
   * Opens the store. Succeeds even if the database does not respond; records then wait.
   * @throws StoreError if only the user can fix the problem: an invalid address, a wrong password, or a newer schema
   */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const { settings } = options;
    const { url } = settings;
    const writing = await openPool({ settings, most: 3, statementMs: WRITE_MS });
    const reading = await openPool({ settings, most: 4, statementMs: READ_MS });
    const store = new PostgresStore(options, writing, reading);
    try {
      await store.#ready();
    } catch (error) {
      if (error instanceof StoreError || needsUser(error)) {
        await store.close();
        throw new StoreError(`the store ${nameOf(url)} cannot be used: ${(error as Error).message}`);
      }
      options.warn(
        `the store ${nameOf(url)} does not respond, so runs and verdicts wait in memory and on disk: ${(error as Error).message}`,
      );
    }
    return store;
  }

  /**
   * Accepts a record. Resolves when the record is in the database or on disk, or was dropped. If the process ends first, the promise stays
   * pending.
   */
  add(record: JudgedRecord): Promise<void> {
    return this.#writer.add(record);
  }

  /** Writes the waiting records. Records that the database does not accept stay in the queue. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /**
   * Accepts no more records, and writes waiting records until the time-out. Records that are still not written stay in the disk queue;
   * without a disk queue, they are dropped.
   */
  async drain(timeoutMs: number): Promise<void> {
    await this.#writer.close(timeoutMs);
    await this.leases.close();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.drain(0);
    await Promise.allSettled([this.#writing.end(), this.#reading.end()]);
  }

  async status(): Promise<object> {
    const about = {
      worker: this.worker,
      waiting: this.#writer.waiting,
      waiting_disk_bytes: this.#writer.waitingDiskBytes,
      failures: this.#writer.failures,
      split_traces: this.#splitTraces,
    };
    try {
      if (performance.now() - this.#size.atMs > SIZE_KEPT_MS)
        this.#size = { atMs: performance.now(), value: await this.read("size") };
      return { ...this.#size.value, ...about };
    } catch (error) {
      return { ...about, trouble: (error as Error).message };
    }
  }

  /** Deletes all runs that exceed the retention limit. Returns the number of deleted runs. */
  async retainNow(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const some = await this.#retain();
      deleted += some;
      if (some === 0) return deleted;
    }
  }

  protected async read<Name extends ReadName>(
    name: Name,
    ...values: Parameters<Reads[Name]>
  ): Promise<ReadResult<Name>> {
    await this.#ready();
    return runOver(this.#reading, stepsOf(this.#reads, name, values));
  }

  protected async change<Result>(work: () => Steps<Result>): Promise<Result> {
    await this.flush();
    await this.#ready();
    return runOver(this.#reading, work());
  }

  /** Resolves when the tables exist. If creating the tables fails, rejects, and the next call tries again. */
  #ready(): Promise<void> {
    this.#migrated ??= migrate(this.#writing, this.#options.settings.url).catch((error: unknown) => {
      this.#migrated = undefined;
      throw error;
    });
    return this.#migrated;
  }

  /** Notifies listeners if any process has written verdicts since the last call. */
  async #look(): Promise<void> {
    if (!this.hasListeners) return;
    try {
      const newest = await this.newest();
      if (newest > this.#newest) this.announce();
      this.#newest = newest;
    } catch {
      // The database does not respond. The next call that succeeds notifies the listeners.
    }
  }

  async #retain(): Promise<number> {
    const { maxAgeMs, now = Date.now } = this.#options;
    try {
      await this.#ready();
      return await retainRuns(this.#writing, this.#dialect, maxAgeMs, now());
    } catch {
      return 0; // The next write reports the error.
    }
  }
}

/** Deletes one batch of the runs that exceed the age limit, with all their data. Returns the number of deleted runs. */
async function retainRuns(
  pool: Pool,
  dialect: Dialect,
  maxAgeMs: number,
  nowUnixMs: number,
): Promise<number> {
  const ids = await runOver(pool, oldestRuns(dialect, Math.floor(nowUnixMs - maxAgeMs)));
  await pool.query(
    `DELETE FROM tracejury.holders WHERE trace_id IN (SELECT trace_id FROM tracejury.holders WHERE seen_ms < $1 LIMIT 10000)`,
    [nowUnixMs - HOLDERS_KEPT_MS],
  );
  if (ids.length === 0) return 0;
  await inTransaction(pool, async (client) => {
    await lockWriting(client);
    await runOver(client, deleteRuns(dialect, ids));
  });
  return ids.length;
}

/**
 * Returns the id of this process among the processes that share the database. The id is stored in a file, because a restarted process
 * restores traces from its journal, and must then have the same id.
 * @param file path of the file; null for a new id at each start
 */
function workerId(file: string | null): string {
  if (file === null) return randomUUID();
  try {
    const known = readFileSync(file, "utf8").trim();
    if (/^[\w-]{1,64}$/.test(known)) return known;
  } catch {
    // The file does not exist yet.
  }
  const made = randomUUID();
  try {
    makeFolderSync(dirname(file));
    writeFileSync(file, `${made}\n`);
  } catch {
    // The folder is not writable, so the id is not stored. The next process needs no id of this process, because there is no journal
    // either.
  }
  return made;
}
