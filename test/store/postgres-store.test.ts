import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { silentEvents } from "../../src/export/records/export-events.ts";
import { openDiskQueues, type DiskQueues } from "../../src/export/queue/open-disk-queues.ts";
import { PostgresStore, type PostgresStoreOptions } from "../../src/store/postgres/postgres-store.ts";
import { WRITING } from "../../src/store/postgres/schema.ts";
import { until } from "../support/eventually.ts";
import { emptyDatabase } from "./opened-stores.ts";
import { now, record } from "./stored-records.ts";
import { hasPostgres, PostgresServer } from "../support/postgres-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * Against a real server of this machine; where there is none these tests are left out.
 */

let server: PostgresServer;

async function opened(options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> {
  const store = await PostgresStore.open({
    settings: { url: server.url, tls: "auto", caFile: null, workerFile: null },
    maxAgeMs: 1e12,
    events: silentEvents,
    diskQueue: undefined,
    warn: () => undefined,
    now: () => now,
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

const emptied = (): Promise<void> => emptyDatabase(server.url);

const ids = async (store: PostgresStore): Promise<string[]> =>
  ((await store.verdicts({}, 100, null))?.verdicts ?? []).map(
    ({ verdictId, revision, outcome }) => `${verdictId} ${revision} ${outcome}`,
  );

describe.skipIf(!hasPostgres)("a store in PostgreSQL", () => {
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.remove());

  test("two processes see each other's runs and verdicts, each once, and the newest revision", async () => {
    await emptied();
    const [a, b] = [await opened(), await opened()];
    await Promise.all([a, b, a, b].map((store) => store.add(record({ outcome: "fail" }))));
    await b.add(record({ run: 2, query: "ÄRGER in\0Rom" }));
    await b.add(record({ revision: 3, outcome: "pass" }));
    await a.add(record({ revision: 2, outcome: "fail" }));
    expect(await ids(a)).toEqual(["v1 3 pass", "v2 1 pass"]);
    expect(await ids(b)).toEqual(await ids(a));
    expect((await a.revisions("v1")).map(({ revision }) => revision)).toEqual([1, 2, 3]);
    expect((await a.runs({ text: "ärger" }, 10, null))?.items.map(({ query }) => query)).toEqual([
      "ÄRGER in\uFFFDRom",
    ]);
  });

  test("a trace whose spans went to two processes is no clean pass, whoever learns it when", async () => {
    await emptied();
    const [a, b] = [await opened(), await opened()];
    const trace = record({ run: 9 }).run.traceIds;
    a.leases.seen(trace);
    await a.add(record({ run: 9 }));
    await until(async () => (await ids(a)).length === 1);
    expect(a.leases.isSplit(trace)).toBe(false);
    b.leases.seen(trace);
    await until(() => Promise.resolve(b.leases.isSplit(trace) && a.leases.isSplit(trace)));
    await until(async () => (await ids(b))[0] === "v9 1 incomplete");
    const [verdict] = (await a.verdicts({}, 1, null))?.verdicts ?? [];
    expect(JSON.parse(verdict?.json ?? "")).toMatchObject({
      outcome: "incomplete",
      complete: false,
      close_reason: "split",
      layers: { path: { checks: [{ outcome: "incomplete", missing: ["run"] }] } },
    });
    // A late revision of one that still thinks it has all, and a failure that no further span can undo.
    await a.add(record({ run: 9, revision: 2 }));
    expect(await ids(b)).toEqual(["v9 2 incomplete"]);
    expect((await b.runs({}, 1, null))?.items).toMatchObject([{ complete: false, outcome: "incomplete" }]);
    await a.add(record({ run: 9, revision: 3, outcome: "fail" }));
    expect(await ids(b)).toEqual(["v9 3 fail"]);
  });

  test("a record that can never be written is counted, and does not keep the others", async () => {
    await emptied();
    const rejected: string[] = [];
    const events = { ...silentEvents, rejected: ({ why }: { why: string }) => void rejected.push(why) };
    const store = await opened({ events });
    const bad = record({ run: 2 });
    const all = [
      record({ run: 1 }),
      { ...bad, run: { ...bad.run, runId: null as never } },
      record({ run: 3 }),
    ];
    await Promise.all(all.map((one) => store.add(one)));
    expect(await ids(store)).toEqual(["v3 1 pass", "v1 1 pass"]);
    expect(rejected).toEqual([expect.stringContaining("null value")]);
  });

  test("a newer schema, a wrong database and a wrong password are said at the start", async () => {
    await emptied();
    const settings = { url: server.url, tls: "auto", caFile: null, workerFile: null } as const;
    await expect(opened({ settings: { ...settings, url: `${server.url}-none` } })).rejects.toThrow(
      /postgres-none cannot be used: .*does not exist/,
    );
    await expect(opened({ settings: { ...settings, tls: "verify" } })).rejects.toThrow(
      /does not support SSL/,
    );
    const store = await opened();
    await store.close();
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query("UPDATE tracejury.schema_version SET version = 99");
    await client.end();
    await expect(opened()).rejects.toThrow(/newer version of Tracejury \(schema 99/);
    await emptied();
  });

  test("while it is away nothing waits for it; what it missed comes when it is back", async () => {
    await emptied();
    const warned: string[] = [];
    const failures: string[] = [];
    const events = { ...silentEvents, failed: ({ error }: { error: string }) => void failures.push(error) };
    await server.down();
    const store = await opened({ warn: (message) => warned.push(message), events });
    expect(warned[0]).toMatch(/does not respond/);
    const written = store.add(record());
    await until(() => Promise.resolve(failures.length > 0));
    await expect(store.verdicts({}, 1, null)).rejects.toThrow(/connect/i);
    expect(await store.status()).toMatchObject({ waiting: 1, trouble: expect.any(String) as unknown });
    await server.up();
    await written;
    expect(await ids(store)).toEqual(["v1 1 pass"]);
  });

  test("what a process could not write is written by the next one with its folder, once", async () => {
    await emptied();
    const folder = temporaryFolder();
    await server.down();
    const diskQueues = await openSpillsIn(folder);
    const store = await opened({ diskQueue: diskQueues.of(server.url) });
    const safe = Promise.all([store.add(record({ run: 1 })), store.add(record({ run: 2 }))]);
    await store.drain(0);
    await safe; // the journal may forget them
    await diskQueues.close();
    await server.up();
    const again = await openSpillsIn(folder);
    onTestFinished(() => again.close());
    const next = await opened({ diskQueue: again.of(server.url) });
    await next.add(record({ run: 1 }));
    await until(async () => (await ids(next)).length === 2);
    expect((await ids(next)).toSorted()).toEqual(["v1 1 pass", "v2 1 pass"]);
  });

  test("while another process keeps the lock of writers, reading goes on and what is to be written waits", async () => {
    await emptied();
    const store = await opened();
    await store.add(record({ run: 1 }));
    const { default: pg } = await import("pg");
    const other = new pg.Client({ connectionString: server.url });
    await other.connect();
    await other.query("SELECT pg_advisory_lock($1)", [WRITING]);
    let isWritten = false;
    const written = store.add(record({ run: 2 })).then(() => (isWritten = true));
    await until(
      async () =>
        (await ids(store)).length === 1 && ((await store.status()) as { waiting: number }).waiting === 1,
    );
    expect(isWritten).toBe(false);
    await other.query("SELECT pg_advisory_unlock($1)", [WRITING]);
    await other.end();
    await written;
    expect(await ids(store)).toEqual(["v2 1 pass", "v1 1 pass"]);
  });
});

async function openSpillsIn(dir: string): Promise<DiskQueues> {
  const fail = (error: unknown): never => {
    throw error;
  };
  return openDiskQueues({
    dir,
    outputs: [server.url],
    budgetBytes: 2 ** 24,
    sync: false,
    mayYield: false,
    onYield: fail,
    onDamage: fail,
    onError: fail,
  });
}
