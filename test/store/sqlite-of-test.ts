import { onTestFinished } from "vitest";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { SqliteStore, type SqliteStoreOptions } from "../../src/store/sqlite/sqlite-store.ts";
import { now } from "./stored-records.ts";

/** A store that keeps everything, in memory or in the file at `path`; closed when the test ends. */
export function sqliteStore(
  path = ":memory:",
  { database = openDatabase(path, now).database, ...options }: Partial<SqliteStoreOptions> = {},
): SqliteStore {
  const store = new SqliteStore({
    database,
    retention: { maxAgeMs: 1e15, maxBytes: 1e15 },
    onError: () => undefined,
    now: () => now,
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}
