import { dirname, join } from "node:path";
import { isUnmet } from "../../model/outcome.ts";
import { archiveEndpoints } from "../../interfaces/api/archive-endpoints.ts";
import type { SavedRuns } from "../../interfaces/api/endpoints/baselines.ts";
import { Allowance } from "../../interfaces/api/http/allowance.ts";
import type { Endpoint } from "../../interfaces/api/http/endpoint.ts";
import { createRecentStore } from "../../interfaces/api/recent/recent-store.ts";
import type { Archive, TelemetryReading, VerdictStore } from "../../store/archive.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { AgentRun } from "../../model/run.ts";
import type { ExportEvents } from "../../export/records/export-events.ts";
import { noDiskQueues } from "../../export/queue/open-disk-queues.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { isExplained } from "../../runs/explain/explained.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import { placeOfSpan } from "../../otlp/rows/span-view.ts";
import { batchTraceIds } from "../../journal/records/batch-traces.ts";
import type { Refusal } from "../../receive/ports.ts";
import type { DamageReport } from "../../support/telemetry/reports/damage-report.ts";
import type { Recorder } from "../../support/telemetry/metrics/recorder.ts";
import { runDetailJson } from "../../report/json/run-detail.ts";
import type { Redactor } from "../../support/redact/redactor.ts";
import { verdictJsonText } from "../../report/json/verdict-json.ts";
import { SQLITE_PACKAGE } from "../../support/process/sqlite-module.ts";
import { findDriver } from "../../store/sqlite/driver.ts";
import { judgedRecord } from "../../store/write/judged-record.ts";
import { RetainedTraces } from "../../store/write/retained-traces.ts";
import type { Database } from "../../store/sqlite/database.ts";
import { type OpenedDatabase, openDatabase, replaceDatabase } from "../../store/sqlite/open-database.ts";
import type { StoreSettings } from "../../store/settings.ts";
import { NO_URL, PostgresStore } from "../../store/postgres/postgres-store.ts";
import { SqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { StoreError } from "../../store/store-error.ts";
import type { JudgedRecord } from "../../store/read/stored.ts";
import { limitedLog, type Log } from "../../support/telemetry/log/log.ts";
import { openQueues, type OutputQueueSettings } from "./outputs.ts";

/** Store of runs and verdicts for the web page and the API: a PostgreSQL database, an SQLite file, or memory with the latest runs. */
export interface Results {
  readonly store: VerdictStore;
  /** Archive of stored runs; null if only the latest verdicts are in memory. */
  readonly archive: Archive | null;
  /** Creates the API endpoints of the archive; undefined if there is no archive. */
  readonly endpoints: ArchiveEndpoints | undefined;
  /** Retains the telemetry of a closed trace, so that it can be stored with the runs of the trace. */
  readonly onTrace: ((trace: Trace) => void) | undefined;
  onRun(run: AgentRun): void;
  /**
   * Stores a judged run. Returns a promise that resolves when the journal may release the run; null if the journal need not wait.
   * @param judged the judged run after redaction
   * @param run the run that `onRun` received
   */
  onJudged(judged: JudgedRun, run: AgentRun): Promise<void> | null;
  /** Records that this process received spans of these traces over HTTP or gRPC. */
  onHeld(traceIds: Iterable<string>): void;
  /** Like `onHeld`, for the traces of a batch, once `taken` shows that the batch is accepted. Returns `taken` unchanged. */
  noted<Taken extends Refused>(batch: Batch, taken: Taken): Taken;
  /** Whether another process is known to have spans of these traces. */
  isSplit(traceIds: readonly string[]): boolean;
  /** Releases the telemetry of traces that can no longer become part of a run. Call `releaseTraces` about once a second. */
  releaseTraces(isOpen: (traceId: string) => boolean): void;
  flush(): void;
  /** Number of runs that were not stored, because of the rate limit, because memory was full, or because the write failed. */
  leftOut(): number;
  status(): Promise<object | null>;
  /** Writes buffered runs, or stores them on disk for the next process. After `drain`, `onJudged` must not be called. */
  drain(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Result of accepting a batch. The batch was accepted if the value is undefined, or a promise that resolves to null. */
type Refused = Promise<Refusal | null> | undefined;

/** Creates the API endpoints of a persistent store. */
type ArchiveEndpoints = (
  reading: TelemetryReading,
  saved: SavedRuns,
  now: () => number,
) => readonly Endpoint[];

export interface ResultsOptions {
  readonly settings: StoreSettings | undefined;
  readonly redactor: () => Redactor | null;
  readonly log: Log;
  readonly events: ExportEvents;
  readonly recorder: Recorder;
  readonly damage: DamageReport;
  /** Disk queue for the records of a database. If absent, records wait in memory. */
  readonly queues: OutputQueueSettings | undefined;
  readonly queueBytes: number;
  /** Memory limit of the process in bytes; undefined for none. */
  readonly memoryBytes: number | undefined;
}

/** Opens the store. Rejects with `StoreError` if the configured file or database cannot be used. */
export async function openResults(options: ResultsOptions): Promise<Results> {
  const { settings, log, memoryBytes } = options;
  if (settings === undefined) return recentResults();
  if (settings.mode === "postgres") return sharedResults(settings, options);
  if (settings.mode === "memory") {
    return findDriver() === undefined
      ? recentResults()
      : fileResults(inMemory(settings, memoryBytes), options);
  }
  if (settings.mode === "auto" && findDriver() === undefined) {
    log.warn(
      `this Node has no SQLite, and ${SQLITE_PACKAGE} is not installed: only the latest verdicts are available, in memory`,
    );
    return recentResults();
  }
  try {
    return fileResults(settings, options);
  } catch (error) {
    if (!(error instanceof StoreError) || !error.isFull) throw error;
    // A full disk does not end the process, which continues with runs in memory: only a running process empties the journal, and thus frees
    // disk space.
    log.error(
      `${error.message}: the store is in memory until the next start. It holds only the latest runs, and loses them when the process ends`,
    );
    return fileResults(inMemory(settings, memoryBytes), options);
  }
}

const MOST_IN_MEMORY = 128 * 2 ** 20;
/**
 * Maximum share of the memory limit for runs in memory. These runs are not evicted while memory is short, so the remaining memory has to
 * suffice for telemetry.
 */
const STORE_SHARE = 1 / 4;

function inMemory(settings: StoreSettings, memoryBytes = Infinity): StoreSettings {
  const { maxAgeMs, maxBytes } = settings.retention;
  return {
    ...settings,
    path: ":memory:",
    retention: { maxAgeMs, maxBytes: Math.min(maxBytes, MOST_IN_MEMORY, memoryBytes * STORE_SHARE) },
  };
}

function recentResults(): Results {
  const store = createRecentStore({
    renderVerdict: verdictJsonText,
    renderRun: (run) => JSON.stringify(runDetailJson(run)),
  });
  return {
    store,
    archive: null,
    endpoints: undefined,
    onTrace: undefined,
    onRun: () => undefined,
    onJudged: ({ run, verdicts }, found) => {
      const shown = run.turns === undefined ? run : undefined;
      store.add({ shown, verdicts }, batchesOf(found), Date.now());
      return null;
    },
    ...alone,
    flush: () => undefined,
    releaseTraces: () => undefined,
    leftOut: () => store.leftOut,
    status: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}

/** Returns the batches that a run keeps in memory, including the batches of its turns. */
function batchesOf(run: AgentRun): ReadonlySet<Batch> {
  const batches = new Set<Batch>();
  for (const one of run.turns ?? [run]) {
    if (!isExplained(one)) continue;
    for (const span of one.spans) {
      const place = placeOfSpan(span);
      if (place !== undefined) batches.add(place.batch);
    }
  }
  return batches;
}

/** Methods of a store that no other process uses. Such a store need not record which process received spans of a trace. */
const alone: Pick<Results, "onHeld" | "noted" | "isSplit" | "drain"> = {
  onHeld: () => undefined,
  noted: (_, taken) => taken,
  isSplit: () => false,
  drain: () => Promise.resolve(),
};

function fileResults(
  settings: StoreSettings,
  { redactor, log, damage }: Pick<ResultsOptions, "redactor" | "log" | "damage">,
): Results {
  const opened = ({ database, warning }: OpenedDatabase): Database => {
    if (warning !== null) damage.replaced("store", warning);
    return database;
  };
  const { path } = settings;
  const limited = limitedLog(log);
  const store = new SqliteStore({
    database: opened(openDatabase(path, Date.now())),
    ...(path === ":memory:"
      ? {}
      : { threadPath: path, replace: (error) => opened(replaceDatabase(path, error, Date.now())) }),
    retention: settings.retention,
    onError: (error) =>
      limited.error({ err: error }, "runs and verdicts cannot be written to the store; retrying"),
  });
  const keeping = keepingIn(settings, redactor, (record) => {
    store.add(record);
    return null;
  });
  return {
    ...keeping,
    store,
    archive: store,
    endpoints: (reading, saved, now) => archiveEndpoints(store, reading, saved, now),
    ...alone,
    flush: () => void store.flush(),
    leftOut: () => keeping.leftOut() + store.leftOut,
    status: () => store.status(),
    close: () => store.close(),
  };
}

/** Opens a store that several processes use. Rejects with `StoreError`. */
async function sharedResults(
  settings: StoreSettings,
  { redactor, log, events, recorder, damage, queues, queueBytes }: ResultsOptions,
): Promise<Results> {
  const { postgres, retention } = settings;
  const url = postgres?.url ?? null;
  if (postgres === undefined || url === null) throw new StoreError(NO_URL);
  const diskQueues =
    queues === undefined
      ? noDiskQueues
      : await openQueues({
          ...besides(queues),
          outputs: [url],
          queueBytes,
          log,
          onDamage: (where, found) => damage.found("store_queue", where, found),
        });
  const opened = PostgresStore.open({
    settings: { ...postgres, url },
    maxAgeMs: retention.maxAgeMs,
    events,
    diskQueue: diskQueues.of(url),
    warn: (message) => log.warn(message),
    onSplit: (traces) => recorder.count("tracejury.traces.split", traces, []),
  });
  const store = await opened.catch(async (error: unknown) => {
    await diskQueues.close();
    throw error;
  });
  return {
    ...keepingIn(settings, redactor, (record) => store.add(record)),
    store,
    archive: store,
    endpoints: (reading, saved, now) => archiveEndpoints(store, reading, saved, now),
    onHeld: (traceIds) => store.leases.seen(traceIds),
    noted: (batch, taken) => {
      const note = (): void => store.leases.seen(batchTraceIds(batch));
      if (taken === undefined) note();
      // The caller of `noted` awaits `taken` and handles its error.
      else void taken.then((refusal) => refusal ?? note()).catch(() => undefined);
      return taken;
    },
    isSplit: (traceIds) => store.leases.isSplit(traceIds),
    flush: () => undefined,
    status: () => store.status(),
    drain: async (timeoutMs) => {
      await store.drain(timeoutMs);
      await diskQueues.close();
    },
    close: () => store.close(),
  };
}

/**
 * Returns the settings for the store's queue, in a separate folder. The store's queue is closed at another time than the queues of the
 * outputs.
 */
function besides(queues: OutputQueueSettings): OutputQueueSettings {
  return { ...queues, dir: join(dirname(queues.dir), "store-queue") };
}

type Keeping = Pick<Results, "onTrace" | "onRun" | "onJudged" | "releaseTraces" | "leftOut">;

/** Returns the methods that are the same for file and PostgreSQL stores: they store judged runs, and telemetry if the settings say so. */
function keepingIn(
  settings: StoreSettings,
  redactor: () => Redactor | null,
  add: (record: JudgedRecord) => Promise<void> | null,
): Keeping {
  const traces = settings.telemetry ? new RetainedTraces() : undefined;
  const good = new Allowance(settings.perSecond * 4, settings.perSecond);
  const bad = new Allowance(settings.perSecond * 4, settings.perSecond);
  let leftOut = 0;
  return {
    onTrace: traces && ((trace) => traces.add(trace)),
    onRun: (run) => traces?.claim(run),
    onJudged: (judged, run) => {
      const now = Date.now();
      const allowance = judged.verdicts.some(isUnmet) ? bad : good;
      if (!allowance.take(now)) {
        leftOut++;
        return null;
      }
      const kept = judged.run.turns === undefined ? (traces?.of(run) ?? null) : null;
      return add(judgedRecord(judged, kept, now, redactor()));
    },
    releaseTraces: (isOpen) => traces?.release(isOpen),
    leftOut: () => leftOut,
  };
}
