import type { Pool } from "pg";
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
} from "../../api/store.ts";
import type { ExportEvents } from "../../export/export-events.ts";
import type { Spill } from "../../export/queue/spill.ts";
import type { PostgresSettings } from "../settings.ts";
import { StoreError } from "../store-error.ts";
import type { JudgedRecord } from "../stored.ts";
import type { NumberedVerdict } from "../verdict-reader.ts";
import { addAnnotation, labelsOf, listAnnotations, removeAnnotation } from "./annotations.ts";
import { nameOf, needsMending, openPool } from "./connection.ts";
import { Holders } from "./holders.ts";
import { pageOfRuns, pageOfUnjudged, runJson, samplesOf, telemetryOf } from "./read-runs.ts";
import { sumsOf } from "./read-sums.ts";
import {
  newestNumber,
  oneVerdict,
  pageOfVerdicts,
  revisionsOf,
  verdictsOfRun,
  verdictsSince,
} from "./read-verdicts.ts";
import { RecordWriter } from "./record-writer.ts";
import { retainRuns } from "./retain.ts";
import { migrate } from "./schema.ts";
import { workerId } from "./worker-id.ts";

export interface PostgresStoreOptions {
  readonly settings: PostgresSettings & { readonly url: string };
  readonly maxAgeMs: number;
  readonly events: ExportEvents;
  readonly spill: Spill | undefined;
  /** Told why the database cannot be used now, and of traces that went to several processes. */
  readonly warn: (message: string) => void;
  /** Told of traces of this process that were found to be split, each once. */
  readonly onSplit?: (traces: number) => void;
  readonly now?: () => number;
}

export const NO_URL =
  "store.mode: postgres needs store.url, such as postgres://user:password@host:5432/database";

const RETAIN_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
/** Counting the rows of a large database takes a while. */
const SIZE_KEPT_MS = 10_000;
const WRITE_MS = 30_000;
const READ_MS = 15_000;

/**
 * The store in a PostgreSQL database, which several processes may share. Records are taken at once and written soon, several in one
 * transaction; while the database is away or slow they wait on the disk.
 */
export class PostgresStore implements Archive {
  /** Of this process among those that share the database. */
  readonly worker: string;
  readonly holders: Holders;
  readonly #options: PostgresStoreOptions;
  readonly #writing: Pool;
  readonly #reading: Pool;
  readonly #writer: RecordWriter;
  readonly #listeners = new Set<() => void>();
  readonly #timers: readonly NodeJS.Timeout[];
  #splitTraces = 0;
  #newest = 0;
  #size: { readonly atMs: number; readonly value: object } = { atMs: -Infinity, value: {} };
  #migrated: Promise<void> | undefined;

  private constructor(options: PostgresStoreOptions, writing: Pool, reading: Pool) {
    const { settings, events, spill } = options;
    this.#options = options;
    this.#writing = writing;
    this.#reading = reading;
    this.worker = workerId(settings.workerFile);
    this.#writer = new RecordWriter({
      route: { exporter: "postgres", signal: "runs", destination: nameOf(settings.url) },
      events,
      spill,
      pool: writing,
      worker: this.worker,
      ready: () => this.#ready(),
      noTables: () => (this.#migrated = undefined),
      onWritten: () => this.#wake(),
    });
    this.holders = new Holders({
      pool: writing,
      ready: () => this.#ready(),
      worker: this.worker,
      onSplit: (traces) => {
        if (this.#splitTraces === 0)
          options.warn("spans of a trace went to several processes: what is judged of it is incomplete");
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
   * Opens it, whether the database answers or not: what is to be written waits then.
   * @throws StoreError when only a person can mend it: no address, a wrong password, a newer schema
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
      if (error instanceof StoreError || needsMending(error)) {
        await store.close();
        throw new StoreError(`the store ${nameOf(url)} cannot be used: ${(error as Error).message}`);
      }
      options.warn(
        `the store ${nameOf(url)} does not answer; what it is to get waits: ${(error as Error).message}`,
      );
    }
    return store;
  }

  /** Takes a record over. Settles when it was written, is kept on the disk, or was given up; not when it is left over at the end. */
  add(record: JudgedRecord): Promise<void> {
    return this.#writer.add(record);
  }

  /** Writes what waits, if the database takes it. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Nothing more is added: writes what waits as long as there is time; the rest stays on the disk. */
  async drain(timeoutMs: number): Promise<void> {
    await this.#writer.close(timeoutMs);
    await this.holders.close();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.drain(0);
    await Promise.allSettled([this.#writing.end(), this.#reading.end()]);
  }

  verdicts(filter: VerdictFilter, limit: number, cursor: string | null): Promise<VerdictPage | undefined> {
    return this.#read((pool) => pageOfVerdicts(pool, filter, limit, cursor));
  }

  verdict(verdictId: string, revision: number | null): Promise<StoredVerdict | undefined> {
    return this.#read((pool) => oneVerdict(pool, verdictId, revision));
  }

  revisions(verdictId: string): Promise<readonly StoredVerdict[]> {
    return this.#read((pool) => revisionsOf(pool, verdictId));
  }

  run(runId: string): Promise<{ json: string; verdicts: readonly StoredVerdict[] } | undefined> {
    return this.#read(async (pool) => {
      const json = await runJson(pool, runId);
      return json === undefined ? undefined : { json, verdicts: await verdictsOfRun(pool, runId) };
    });
  }

  runs(filter: RunFilter, limit: number, cursor: string | null): Promise<Page<RunSummary> | undefined> {
    return this.#read((pool) => pageOfRuns(pool, filter, limit, cursor));
  }

  telemetry(runId: string): Promise<readonly Telemetry[] | undefined> {
    return this.#read((pool) => telemetryOf(pool, runId));
  }

  sums(window: Window, bucketMs: number | null): Promise<readonly VerdictSums[]> {
    return this.#read((pool) => sumsOf(pool, window, bucketMs));
  }

  samples(filter: SampleFilter, limit: number): Promise<readonly JudgedSample[]> {
    return this.#read((pool) => samplesOf(pool, filter, limit));
  }

  unjudged(limit: number, cursor: string | null): Promise<Page<UnjudgedRun> | undefined> {
    return this.#read((pool) => pageOfUnjudged(pool, limit, cursor));
  }

  annotations(filter: AnnotationFilter): Promise<readonly Annotation[]> {
    return this.#read((pool) => listAnnotations(pool, filter));
  }

  async annotate(annotation: NewAnnotation, nowUnixMs: number): Promise<Annotation | undefined> {
    await this.flush();
    return this.#read((pool) => addAnnotation(pool, annotation, nowUnixMs));
  }

  removeAnnotation(id: number): Promise<boolean> {
    return this.#read((pool) => removeAnnotation(pool, id));
  }

  labels(): Promise<ReadonlyMap<string, "pass" | "fail">> {
    return this.#read(labelsOf);
  }

  since(number: number, limit: number): Promise<readonly NumberedVerdict[]> {
    return this.#read((pool) => verdictsSince(pool, number, limit));
  }

  newest(): Promise<number> {
    return this.#read(newestNumber);
  }

  onVerdicts(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
        this.#size = { atMs: performance.now(), value: await this.#read(sizeOf) };
      return { ...this.#size.value, ...about };
    } catch (error) {
      return { ...about, trouble: (error as Error).message };
    }
  }

  /** Runs too old to be kept are deleted, all at once. */
  async retainNow(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const some = await this.#retain();
      deleted += some;
      if (some === 0) return deleted;
    }
  }

  async #read<T>(ask: (pool: Pool) => Promise<T>): Promise<T> {
    await this.#ready();
    return ask(this.#reading);
  }

  /** The tables are there. Tried anew each time while they cannot be made. */
  #ready(): Promise<void> {
    this.#migrated ??= migrate(this.#writing, this.#options.settings.url).catch((error: unknown) => {
      this.#migrated = undefined;
      throw error;
    });
    return this.#migrated;
  }

  /** What other processes have written is news to those who follow. */
  async #look(): Promise<void> {
    if (this.#listeners.size === 0) return;
    try {
      const newest = await this.newest();
      if (newest > this.#newest) this.#wake();
      this.#newest = newest;
    } catch {
      // They are told when it answers again.
    }
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }

  async #retain(): Promise<number> {
    const { maxAgeMs, now = Date.now } = this.#options;
    try {
      await this.#ready();
      return await retainRuns(this.#writing, maxAgeMs, now());
    } catch {
      return 0; // said when something is to be written
    }
  }
}

async function sizeOf(pool: Pool): Promise<object> {
  const { rows } = await pool.query<{ verdicts: string; runs: string; bytes: string }>(
    `SELECT (SELECT count(*) FROM tracejury.verdicts) AS verdicts, (SELECT count(*) FROM tracejury.runs) AS runs,
       (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE c.relnamespace = 'tracejury'::regnamespace
        AND c.relkind = 'r') AS bytes`,
  );
  const [row] = rows;
  return { verdicts: Number(row?.verdicts), runs: Number(row?.runs), bytes: Number(row?.bytes) };
}
