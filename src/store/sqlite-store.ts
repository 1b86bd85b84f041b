import type {
  Annotation,
  AnnotationFilter,
  Archive,
  JudgedSample,
  NewAnnotation,
  Page,
  RunFilter,
  RunSummary,
  SampleFilter,
  StoredVerdict,
  Telemetry,
  UnjudgedRun,
  VerdictFilter,
  VerdictPage,
  VerdictSums,
  Window,
} from "../api/store.ts";
import { type Connection, connect, disconnect, readFrom } from "./connection.ts";
import { isDamage, isTransient } from "./damage.ts";
import { type Database, transaction } from "./database.ts";
import type { Reads } from "./reader.ts";
import { retain } from "./retain.ts";
import type { JudgedRecord, Retention } from "./stored.ts";
import type { NumberedVerdict } from "./verdict-reader.ts";

export interface SqliteStoreOptions {
  readonly database: Database;
  readonly retention: Retention;
  /** Told of what went wrong while writing; the records are tried again. */
  readonly onError: (error: Error) => void;
  /** The database's file, when it is to be read in a thread of its own; read here when absent. */
  readonly threadPath?: string;
  /** Puts the database, which is closed, aside as damaged and gives a new one. A damaged database is an error each time when absent. */
  readonly replace?: (damage: Error) => Database;
  readonly now?: () => number;
  /** How long records are gathered before they are written together. */
  readonly gatherMs?: number;
  /** Memory for records that wait; what comes on top is left out and counted. */
  readonly mostWaitingBytes?: number;
}

/** Records written in one transaction. */
const AT_A_TIME = 200;
const RETAIN_EVERY_MS = 60_000;
/** When writing fails (a full disk, say), how long to wait before it is tried again. */
const AGAIN_MS = 5_000;

/** The store in an SQLite file: records are taken at once and written soon, several in one transaction. */
export class SqliteStore implements Archive {
  readonly #options: SqliteStoreOptions;
  #connection: Connection;
  readonly #listeners = new Set<() => void>();
  #waiting: JudgedRecord[] = [];
  #waitingBytes = 0;
  #leftOut = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #retainTimer: NodeJS.Timeout;
  #closed = false;

  constructor(options: SqliteStoreOptions) {
    this.#options = options;
    this.#connection = connect(options.database, options.threadPath);
    this.#retainTimer = setInterval(() => this.#retain(), RETAIN_EVERY_MS).unref();
  }

  /** Takes a record over; false when there is no room for it. Never throws, never waits. */
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

  /** Runs that were not taken for want of room. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Writes everything that waits; false when it cannot be written. */
  flush(): boolean {
    while (this.#waiting.length > 0) if (!this.#write()) return false;
    return true;
  }

  /** Deletes what is too old or too much, all at once. */
  retainNow(): number {
    let deleted = 0;
    for (;;) {
      const { deletedRuns, more } = retain(this.#connection.database, this.#options.retention, this.#now());
      deleted += deletedRuns;
      if (!more || deletedRuns === 0) return deleted;
    }
  }

  close(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    clearInterval(this.#retainTimer);
    this.flush();
    this.#leftOut += this.#waiting.length;
    this.#closed = true;
    disconnect(this.#connection);
  }

  verdicts(filter: VerdictFilter, limit: number, cursor: string | null): Promise<VerdictPage | undefined> {
    return this.#read("verdicts", filter, limit, cursor);
  }

  verdict(verdictId: string, revision: number | null): Promise<StoredVerdict | undefined> {
    return this.#read("verdict", verdictId, revision);
  }

  revisions(verdictId: string): Promise<readonly StoredVerdict[]> {
    return this.#read("revisions", verdictId);
  }

  run(runId: string): Promise<{ json: string; verdicts: readonly StoredVerdict[] } | undefined> {
    return this.#read("run", runId);
  }

  runs(filter: RunFilter, limit: number, cursor: string | null): Promise<Page<RunSummary> | undefined> {
    return this.#read("runs", filter, limit, cursor);
  }

  telemetry(runId: string): Promise<readonly Telemetry[] | undefined> {
    return this.#read("telemetry", runId);
  }

  sums(window: Window, bucketMs: number | null): Promise<readonly VerdictSums[]> {
    return this.#read("sums", window, bucketMs);
  }

  samples(filter: SampleFilter, limit: number): Promise<readonly JudgedSample[]> {
    return this.#read("samples", filter, limit);
  }

  unjudged(limit: number, cursor: string | null): Promise<Page<UnjudgedRun> | undefined> {
    return this.#read("unjudged", limit, cursor);
  }

  annotations(filter: AnnotationFilter): Promise<readonly Annotation[]> {
    return this.#read("annotations", filter);
  }

  async annotate(annotation: NewAnnotation, nowUnixMs: number): Promise<Annotation | undefined> {
    await Promise.resolve();
    this.flush();
    return this.#orReplaced(() => this.#connection.annotations.add(annotation, nowUnixMs));
  }

  async removeAnnotation(id: number): Promise<boolean> {
    await Promise.resolve();
    return this.#orReplaced(() => this.#connection.annotations.remove(id));
  }

  labels(): Promise<ReadonlyMap<string, "pass" | "fail">> {
    return this.#read("labels");
  }

  since(number: number, limit: number): Promise<readonly NumberedVerdict[]> {
    return this.#read("since", number, limit);
  }

  newest(): Promise<number> {
    return this.#read("newest");
  }

  onVerdicts(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async status(): Promise<object> {
    return {
      ...(await this.#read("size")),
      reading: this.#connection.thread?.isWorking === true ? "in a thread" : "here",
      waiting: this.#waiting.length,
      left_out: this.#leftOut,
      failures: this.#failures,
    };
  }

  /** In the thread where there is one; else here, what it throws as a rejection. A damaged database is replaced and read once more. */
  async #read<Name extends keyof Reads>(
    name: Name,
    ...values: Parameters<Reads[Name]>
  ): Promise<ReturnType<Reads[Name]>> {
    const connection = this.#connection;
    try {
      return await readFrom(connection, name, values);
    } catch (error) {
      if (!this.#replaced(error as Error, connection)) throw error;
      return readFrom(this.#connection, name, values);
    }
  }

  /** Does it again, once, where the database turns out to be damaged and can be replaced. */
  #orReplaced<Result>(work: () => Result): Result {
    const connection = this.#connection;
    try {
      return work();
    } catch (error) {
      if (!this.#replaced(error as Error, connection)) throw error;
      return work();
    }
  }

  /** Replaces a damaged database; false when the error is another one, or it cannot be replaced. */
  #replaced(error: Error, connection: Connection): boolean {
    const { replace, onError, threadPath } = this.#options;
    if (this.#closed) return false;
    if (connection !== this.#connection) return true; // meanwhile, by something else that failed
    if (replace === undefined || !isDamage(error)) return false;
    disconnect(connection);
    try {
      this.#connection = connect(replace(error), threadPath);
      return true;
    } catch (failure) {
      // Reads and writes fail from here on: the collector goes on without its store.
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
    const records = this.#waiting.slice(0, AT_A_TIME);
    if (records.length === 0) return true;
    const connection = this.#connection;
    let error = this.#tryWriting(records);
    if (error !== null && this.#replaced(error, connection)) error = this.#tryWriting(records);
    if (error !== null) {
      this.#failures++;
      this.#options.onError(error);
      if (isTransient(error)) return false;
      // One of them cannot be written, ever: the others must not wait for it.
      for (const record of records) if (this.#tryWriting([record]) !== null) this.#leftOut++;
    }
    this.#waiting = this.#waiting.slice(records.length);
    for (const record of records) this.#waitingBytes -= bytesOf(record);
    for (const listener of this.#listeners) listener();
    return true;
  }

  #tryWriting(records: readonly JudgedRecord[]): Error | null {
    try {
      const { database, writer } = this.#connection;
      transaction(database, () => {
        for (const record of records) writer.write(record);
      });
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  #retain(): void {
    try {
      const { more } = this.#orReplaced(() =>
        retain(this.#connection.database, this.#options.retention, this.#now()),
      );
      if (more) setTimeout(() => this.#closed || this.#retain(), 10).unref();
    } catch (error) {
      this.#options.onError(error as Error);
    }
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function bytesOf({ run, verdicts, telemetry }: JudgedRecord): number {
  let bytes = 500 + run.json.length;
  for (const { json } of verdicts) bytes += json.length + 200;
  for (const parts of telemetry?.values() ?? []) for (const part of parts) bytes += part.bytes.length;
  return bytes;
}
