import { onTestFinished } from "vitest";
import { silentEvents } from "../../src/export/records/export-events.ts";
import type { Archive } from "../../src/store/archive.ts";
import { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { JudgedRecord } from "../../src/store/read/stored.ts";
import { hasPostgres, PostgresServer } from "../support/postgres-server.ts";
import { sqliteStore } from "./sqlite-of-test.ts";
import { now } from "./stored-records.ts";

/** A store with what a test needs to fill it, whatever the database. */
export interface OpenedStore {
  readonly archive: Archive;
  /** Settles when all are written. */
  readonly add: (...records: readonly JudgedRecord[]) => Promise<void>;
  readonly retainNow: () => Promise<number>;
}

export interface StoreKind {
  readonly name: string;
  /** Whether this machine has the database. */
  readonly isHere: boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** An empty store; closed when the test ends. */
  open(maxAgeMs?: number): Promise<OpenedStore>;
}

const sqlite: StoreKind = {
  name: "SQLite",
  isHere: true,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  open: (maxAgeMs = 1e15) => {
    const store = sqliteStore(":memory:", { retention: { maxAgeMs, maxBytes: 1e15 } });
    return Promise.resolve({
      archive: store,
      add: (...records) => {
        for (const record of records) store.add(record);
        store.flush();
        return Promise.resolve();
      },
      retainNow: () => Promise.resolve(store.retainNow()),
    });
  },
};

let server: PostgresServer;

/** A real server of this machine. */
const postgres: StoreKind = {
  name: "PostgreSQL",
  isHere: hasPostgres,
  start: async () => {
    server = await PostgresServer.start();
  },
  stop: () => server.remove(),
  open: async (maxAgeMs = 1e12) => {
    await emptyDatabase(server.url);
    const store = await PostgresStore.open({
      settings: { url: server.url, tls: "auto", caFile: null, workerFile: null },
      maxAgeMs,
      events: silentEvents,
      diskQueue: undefined,
      warn: () => undefined,
      now: () => now,
    });
    onTestFinished(() => store.close());
    return {
      archive: store,
      add: async (...records) => {
        const written = records.map((record) => store.add(record));
        await store.flush();
        await Promise.all(written);
      },
      retainNow: () => store.retainNow(),
    };
  },
};

export const storeKinds: readonly StoreKind[] = [sqlite, postgres];

export async function emptyDatabase(url: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("DROP SCHEMA IF EXISTS tracejury CASCADE");
  await client.end();
}
