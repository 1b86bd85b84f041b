import type { SavedRuns } from "../../src/interfaces/api/endpoints/baselines.ts";
import { archiveEndpoints } from "../../src/interfaces/api/archive-endpoints.ts";
import { telemetryReadingBy } from "../../src/collector/admin.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { JudgedRecord } from "../../src/store/read/stored.ts";
import type { AdminOptions } from "../../src/interfaces/api/http/admin.ts";
import { adminOfTest } from "./admin-of-test.ts";
import { sqliteStore } from "../store/sqlite-of-test.ts";

export interface ServedArchive {
  readonly store: SqliteStore;
  /** Where the API is. */
  readonly base: string;
  readonly add: (...records: readonly JudgedRecord[]) => void;
}

const nothingSaved: SavedRuns = { versions: () => Promise.resolve([]), samples: () => Promise.resolve([]) };

/** The API over a store in memory, on a port of its own, closed when the test ends. */
export async function archiveOfTest(
  now: number,
  saved: SavedRuns = nothingSaved,
  more: Partial<AdminOptions> = {},
): Promise<ServedArchive> {
  const store = sqliteStore(":memory:", { now: () => now });
  const admin = await adminOfTest({
    store,
    archive: (clock) =>
      archiveEndpoints(
        store,
        telemetryReadingBy(() => []),
        saved,
        clock,
      ),
    now: () => now,
    ...more,
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
