import { type ReadName, type ReadResult, type Reads, readsOf, stepsOf } from "../read/reads.ts";
import { SqlArchive } from "../sql/sql-archive.ts";
import type { Steps } from "../sql/dialect.ts";
import type { JudgedRecord, Retention } from "../read/stored.ts";
import { writeRecords } from "../write/write-records.ts";
import { isDamage, isFullDisk, isTransient } from "./damage.ts";
import type { Database } from "./database.ts";
import { ReadingThread } from "./reading/reading-thread.ts";
import { SqliteSession } from "./session.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { DELETED_AT_ONCE, deleteRuns, oldestRuns } from "../write/delete-runs.ts";
import { trimRollups } from "./rollups.ts";

export interface SqliteStoreOptions {
  readonly database: Database;
  readonly retention: Retention;
  /** Reports a write error. After a transient error, such as a full disk, the write is repeated later. */
  readonly onError: (error: Error) => void;
  /** Path of the database file, if a separate thread reads it; if absent, the calling thread reads. */
  readonly threadPath?: string;
  /** Creates a new database instead of a damaged one, which is already closed. If absent, all access to a damaged database fails. */
  readonly replace?: (damage: Error) => Database;
  readonly now?: () => number;
  /** Milliseconds for which records are collected before a transaction writes them. */
  readonly gatherMs?: number;
  /** Maximum memory of the waiting records in bytes. New records above this limit are dropped and counted. */
  readonly mostWaitingBytes?: number;
}

/** Maximum number of records in one transaction. */
const MOST_AT_A_TIME = 200;
const RETAIN_EVERY_MS = 60_000;
/** The size limit is checked whenever newly written records reach this share of it. So a burst of runs cannot exceed the limit by much. */
const RETAIN_SHARE = 1 / 16;
/** Milliseconds before a failed write is repeated, for example on a full disk. */
const AGAIN_MS = 5_000;

/** An open database, and the thread that reads its file. */
interface Connection {
  readonly session: SqliteSession;
  readonly thread: ReadingThread | undefined;
}

const reads = readsOf(sqliteDialect);

/** Store in an SQLite file. The store accepts records at once and writes them later, several in one transaction. */
export class SqliteStore extends SqlArchive {
  readonly #options: SqliteStoreOptions;
  #connection: Connection;
  #waiting: JudgedRecord[] = [];
  #waitingBytes = 0;
  #leftOut = 0;
  #failures = 0;
  /** Size in bytes of the records that were written since the limits were last checked. */
  #writtenBytes = 0;
  /**
   * Number of records in the next transaction. Smaller after a failed write on a full disk, which may still have space for a small
   * transaction.
   */
  #atATime = MOST_AT_A_TIME;
  #timer: NodeJS.Timeout | undefined;
  readonly #retainTimer: NodeJS.Timeout;
  #closed = false;

  constructor(options: SqliteStoreOptions) {
    super(sqliteDialect);
    this.#options = options;
    this.#connection = connect(options.database, options.threadPath);
    this.#retainTimer = setInterval(() => this.#retain(), RETAIN_EVERY_MS).unref();
  }

  /**
   * Accepts a record. Returns false if the waiting records use too much memory or the store is closed. The call neither throws nor blocks.
   */
  add(record: JudgedRecord): boolean {
    const bytes = bytesOf(record);
    const { mostWaitingBytes = 64 * 2 ** 20, gatherMs = 50 } = this.#options;
    if (this.#closed || this.#waitingBytes + bytes > mostWaitingBytes) {
      this.#leftOut++;
      return false;
    }
    this.#waiting.push(record);
    this.#waitingBytes += bytes;
    this.#timer ??= setTimeout(() => this.#writeSome(), gatherMs);
    return true;
  }

  /** Number of records that were dropped: because memory was full, they could not be written, or the process ended. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * Writes all waiting records. Returns false if a transient error, such as a full disk, ends the writing; the remaining records then wait.
   */
  flush(): boolean {
    while (this.#waiting.length > 0) if (!this.#write()) return false;
    return true;
  }

  /** Deletes all runs that exceed the retention limits. Returns the number of deleted runs. */
  retainNow(): number {
    let deleted = 0;
    for (;;) {
      const { deletedRuns, more } = retain(this.#connection.session, this.#options.retention, this.#now());
      deleted += deletedRuns;
      if (!more || deletedRuns === 0) return deleted;
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    clearInterval(this.#retainTimer);
    this.flush();
    this.#leftOut += this.#waiting.length;
    this.#closed = true;
    const { session, thread } = this.#connection;
    if (thread !== undefined) await thread.close();
    session.database.close();
  }

  async status(): Promise<object> {
    return {
      ...(await this.read("size")),
      reading: this.#connection.thread?.isWorking === true ? "in a thread" : "here",
      waiting: this.#waiting.length,
      left_out: this.#leftOut,
      failures: this.#failures,
    };
  }

  /**
   * Runs a query, in the separate thread if the store has such a thread. If the database is damaged, replaces the database and repeats the
   * query.
   */
  protected async read<Name extends ReadName>(
    name: Name,
    ...values: Parameters<Reads[Name]>
  ): Promise<ReadResult<Name>> {
    await Promise.resolve();
    return this.#orReplaced(({ session, thread }) =>
      thread === undefined ? session.run(stepsOf(reads, name, values)) : thread.ask(name, values),
    );
  }

  protected async change<Result>(work: () => Steps<Result>): Promise<Result> {
    await Promise.resolve();
    this.flush();
    return this.#orReplaced(({ session }) => session.run(work()));
  }

  /** Runs `work`. If the database is damaged and can be replaced, runs `work` again on the new database. */
  async #orReplaced<Result>(work: (connection: Connection) => Result | Promise<Result>): Promise<Result> {
    const connection = this.#connection;
    try {
      return await work(connection);
    } catch (error) {
      if (!this.#replaced(error as Error, connection)) throw error;
      return work(this.#connection);
    }
  }

  /** Replaces a damaged database. Returns false for another kind of error, or if the replacement fails. */
  #replaced(error: Error, connection: Connection): boolean {
    const { replace, onError, threadPath } = this.#options;
    if (this.#closed) return false;
    if (connection !== this.#connection) return true; // Another operation has already replaced the database.
    if (replace === undefined || !isDamage(error)) return false;
    void connection.thread?.close();
    connection.session.database.close();
    try {
      this.#connection = connect(replace(error), threadPath);
      return true;
    } catch (failure) {
      // The damaged database cannot be replaced. All reads and writes fail from now on, and the collector runs without a store.
      onError(failure as Error);
      return false;
    }
  }

  #writeSome(): void {
    this.#timer = undefined;
    const done = this.#write();
    if (this.#waiting.length === 0 || this.#closed) return;
    this.#timer = setTimeout(() => this.#writeSome(), done ? 0 : AGAIN_MS);
  }

  #write(): boolean {
    const records = this.#waiting.slice(0, this.#atATime);
    if (records.length === 0) return true;
    const connection = this.#connection;
    let error = this.#tryWriting(records);
    if (error !== null && this.#replaced(error, connection)) error = this.#tryWriting(records);
    if (error !== null && isFullDisk(error) && records.length > 1) {
      this.#atATime = Math.ceil(records.length / 2);
      return this.#write();
    }
    if (error !== null) {
      this.#failures++;
      this.#options.onError(error);
      if (isTransient(error)) return false;
      // At least one record cannot be written, so the transaction failed. Writes each record alone, so that the other records succeed.
      for (const record of records) if (this.#tryWriting([record]) !== null) this.#leftOut++;
    }
    this.#atATime = Math.min(2 * this.#atATime, MOST_AT_A_TIME);
    this.#waiting = this.#waiting.slice(records.length);
    const bytes = records.reduce((sum, record) => sum + bytesOf(record), 0);
    this.#waitingBytes -= bytes;
    this.#writtenBytes += bytes;
    if (this.#writtenBytes > this.#options.retention.maxBytes * RETAIN_SHARE) this.#retain();
    this.announce();
    return true;
  }

  #tryWriting(records: readonly JudgedRecord[]): Error | null {
    try {
      this.#connection.session.runInTransaction(writeRecords(sqliteDialect, records));
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  #retain(): void {
    this.#writtenBytes = 0;
    const retained = this.#orReplaced(({ session }) => retain(session, this.#options.retention, this.#now()));
    retained.then(
      ({ more }) => more && setTimeout(() => this.#closed || this.#retain(), 10).unref(),
      (error: unknown) => this.#options.onError(error as Error),
    );
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** @param threadPath path of the database file, if a separate thread reads it */
function connect(database: Database, threadPath: string | undefined): Connection {
  const session = new SqliteSession(database);
  const thread =
    threadPath === undefined
      ? undefined
      : new ReadingThread(threadPath, (name, values) => session.run(stepsOf(reads, name, values)));
  return { session, thread };
}

function bytesOf({ run, verdicts, telemetry }: JudgedRecord): number {
  let bytes = 500 + run.json.length;
  for (const { json } of verdicts) bytes += json.length + 200;
  for (const parts of telemetry?.values() ?? []) for (const part of parts) bytes += part.bytes.length;
  return bytes;
}

/** Result of one deletion round. */
interface Retained {
  readonly deletedRuns: number;
  /** Whether further runs must be deleted. */
  readonly more: boolean;
}

/**
 * If the oldest runs exceed the age limit, or the store exceeds its size limit, deletes a batch of the oldest runs with all their data.
 * Call `retain` again while `more` is true.
 */
function retain(session: SqliteSession, { maxAgeMs, maxBytes }: Retention, nowUnixMs: number): Retained {
  const cutoff = nowUnixMs - maxAgeMs;
  const isTooLarge = (): boolean => session.run(sqliteDialect.usedBytes()) > maxBytes;
  const ids = session.run(oldestRuns(sqliteDialect, isTooLarge() ? undefined : cutoff));
  session.runInTransaction(deleteAndTrim(ids, cutoff));
  if (ids.length === 0) return { deletedRuns: 0, more: false };
  session.database.exec("PRAGMA incremental_vacuum(2000)");
  return { deletedRuns: ids.length, more: ids.length === DELETED_AT_ONCE || isTooLarge() };
}

function* deleteAndTrim(runIds: readonly string[], cutoffUnixMs: number): Steps<void> {
  if (runIds.length > 0) yield* deleteRuns(sqliteDialect, runIds);
  yield* trimRollups(cutoffUnixMs);
}
