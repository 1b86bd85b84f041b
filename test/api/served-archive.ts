import { onTestFinished } from "vitest";
import { createAdmin } from "../../src/interfaces/api/http/admin.ts";
import type { SavedRuns } from "../../src/interfaces/api/endpoints/baselines.ts";
import { archiveEndpoints } from "../../src/interfaces/api/archive-endpoints.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { telemetryReadingBy } from "../../src/collector/admin.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { JudgedRecord } from "../../src/store/read/stored.ts";

export interface ServedArchive {
  readonly store: SqliteStore;
  /** Where the API is. */
  readonly base: string;
  readonly add: (...records: readonly JudgedRecord[]) => void;
}

const nothingSaved: SavedRuns = { versions: () => Promise.resolve([]), samples: () => Promise.resolve([]) };

/** The API over a store in memory, on a port of its own, closed when the test ends. */
export async function archiveOfTest(now: number, saved: SavedRuns = nothingSaved): Promise<ServedArchive> {
  const { database } = openDatabase(":memory:", now);
  const retention = { maxAgeMs: 1e15, maxBytes: 1e15 };
  const store = new SqliteStore({ database, retention, onError: () => undefined, now: () => now });
  const admin = await createAdmin({
    address: { host: "127.0.0.1", port: 0 },
    store,
    archive: (clock) =>
      archiveEndpoints(
        store,
        telemetryReadingBy(() => []),
        saved,
        clock,
      ),
    metricsHandler: () => Promise.resolve(""),
    ready: () => ({ ready: true, reasons: [] }),
    status: () => ({}),
    now: () => now,
  });
  onTestFinished(async () => {
    await admin.close();
    await store.close();
  });
  return {
    store,
    base: `http://127.0.0.1:${admin.listening.port}/api/v1`,
    add: (...records) => {
      for (const record of records) store.add(record);
      store.flush();
    },
  };
}
