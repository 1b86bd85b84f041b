import { archiveEndpoints } from "../../api/archive-endpoints.ts";
import { Allowance } from "../../api/allowance.ts";
import type { Endpoint } from "../../api/endpoint.ts";
import { createRecentStore } from "../../api/recent-store.ts";
import type { Archive, VerdictStore } from "../../api/store.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { AgentRun } from "../../model/run.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { runDetailJson } from "../../render/run-detail.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { verdictJson } from "../../render/verdict-json.ts";
import { findDriver } from "../../store/database.ts";
import { judgedRecord } from "../../store/judged-record.ts";
import { KeptTraces } from "../../store/kept-traces.ts";
import { openDatabase } from "../../store/open-database.ts";
import { telemetryReading } from "../../store/read-telemetry.ts";
import type { StoreSettings } from "../../store/settings.ts";
import { SqliteStore } from "../../store/sqlite-store.ts";
import type { Log } from "../../telemetry/log.ts";

/** Where results are kept for people to look at: in a file, or the last ones in memory. */
export interface Results {
  readonly store: VerdictStore;
  /** Null where only the last verdicts are kept. */
  readonly archive: Archive | null;
  /** What a store in a file can be asked beyond that. */
  readonly endpoints: ((now: () => number) => readonly Endpoint[]) | undefined;
  /** Must see each trace before its runs. */
  readonly onTrace: ((trace: Trace) => void) | undefined;
  onRun(run: AgentRun): void;
  /** `judged` may be redacted; `run` is the one that was told by `onRun`. */
  onJudged(judged: JudgedRun, run: AgentRun): void;
  /** To be called now and then with the traces of which runs may still come. */
  letGo(openTraceIds: () => ReadonlySet<string>): void;
  /** Writes what was handed over and waits. */
  flush(): void;
  /** Runs that were not kept, because there were more than can be looked at. */
  leftOut(): number;
  status(): Promise<object | null>;
  close(): void;
}

/** @throws StoreError when a file is asked for and cannot be used */
export function openResults(
  settings: StoreSettings | undefined,
  redactor: () => Redactor | null,
  log: Log,
): Results {
  if (settings === undefined) return recentResults();
  if (settings.mode === "memory") {
    return findDriver() === undefined ? recentResults() : storedResults(inMemory(settings), redactor, log);
  }
  if (settings.mode === "auto" && findDriver() === undefined) {
    log.warn(
      "there is no SQLite in this Node, and libsql is not installed: only the last verdicts are kept, in memory",
    );
    return recentResults();
  }
  return storedResults(settings, redactor, log);
}

const MOST_IN_MEMORY = 128 * 2 ** 20;

function inMemory(settings: StoreSettings): StoreSettings {
  const { maxAgeMs, maxBytes } = settings.retention;
  return {
    ...settings,
    path: ":memory:",
    retention: { maxAgeMs, maxBytes: Math.min(maxBytes, MOST_IN_MEMORY) },
  };
}

function recentResults(): Results {
  const store = createRecentStore({ renderVerdict: verdictJson, renderRun: runDetailJson });
  return {
    store,
    archive: null,
    endpoints: undefined,
    onTrace: undefined,
    onRun: () => undefined,
    onJudged: ({ run, verdicts }) => {
      if (run.turns === undefined) store.addRun(run);
      for (const verdict of verdicts) store.addVerdict(verdict, Date.now());
    },
    flush: () => undefined,
    letGo: () => undefined,
    leftOut: () => store.leftOut,
    status: () => Promise.resolve(null),
    close: () => undefined,
  };
}

function storedResults(settings: StoreSettings, redactor: () => Redactor | null, log: Log): Results {
  const { database, warning } = openDatabase(settings.path, Date.now());
  if (warning !== null) log.error(warning);
  const store = new SqliteStore({
    database,
    ...(settings.path === ":memory:" ? {} : { threadPath: settings.path }),
    retention: settings.retention,
    onError: (error) => log.error({ err: error }, "the store cannot be written; it is tried again"),
  });
  const traces = settings.telemetry ? new KeptTraces() : undefined;
  const good = new Allowance(settings.perSecond * 4, settings.perSecond);
  const bad = new Allowance(settings.perSecond * 4, settings.perSecond);
  let leftOut = 0;
  return {
    store,
    archive: store,
    endpoints: (now) => archiveEndpoints(store, telemetryReading, now),
    onTrace: traces && ((trace) => traces.add(trace)),
    onRun: (run) => traces?.claim(run),
    onJudged: (judged, run) => {
      const now = Date.now();
      const allowance = judged.verdicts.some(({ outcome }) => outcome !== "pass" && outcome !== "skip")
        ? bad
        : good;
      if (!allowance.take(now)) return void leftOut++;
      const kept = judged.run.turns === undefined ? (traces?.of(run) ?? null) : null;
      store.add(judgedRecord(judged, kept, now, redactor()));
    },
    flush: () => void store.flush(),
    letGo: (openTraceIds) => traces?.letGo(openTraceIds),
    leftOut: () => leftOut + store.leftOut,
    status: () => store.status(),
    close: () => store.close(),
  };
}
