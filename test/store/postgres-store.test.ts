import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { silentEvents } from "../../src/export/export-events.ts";
import { openSpills, type Spills } from "../../src/export/queue/spills.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { PostgresStore, type PostgresStoreOptions } from "../../src/store/postgres/postgres-store.ts";
import { WRITING } from "../../src/store/postgres/schema.ts";
import type { JudgedRecord } from "../../src/store/stored.ts";
import { errorsOfRuns, runsWithErrors } from "./runs-with-errors.ts";
import { hasPostgres, PostgresServer } from "../support/postgres-server.ts";

/*
 * Against a real server of this machine; where there is none these tests are left out.
 */

const HOUR = 3_600_000;
const now = 1_700_000_000_000;
let server: PostgresServer;

async function opened(options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> {
  const store = await PostgresStore.open({
    settings: { url: server.url, tls: "auto", caFile: null, workerFile: null },
    maxAgeMs: 1e12,
    events: silentEvents,
    spill: undefined,
    warn: () => undefined,
    now: () => now,
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

/** Everything goes. */
async function emptied(): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query("DROP SCHEMA IF EXISTS tracejury CASCADE");
  await client.end();
}

interface Made {
  readonly run?: number;
  readonly revision?: number;
  readonly outcome?: Outcome;
  readonly agent?: string | null;
  readonly judgedUnixMs?: number;
  readonly query?: string;
  readonly costUsd?: number | null;
  readonly tools?: readonly string[];
}

function record(made: Made = {}): JudgedRecord {
  const { run = 1, revision = 1, outcome = "pass", agent = "Trip-Planner", judgedUnixMs = now } = made;
  const id = run.toString(16).padStart(32, "0");
  const check = (name: string, result: Outcome) => ({
    check: name,
    outcome: result,
    message: "told",
    missing: [],
    remedy: null,
  });
  const layer = (result: Outcome, name: string) => ({
    outcome: result,
    reason: "",
    checks: [check(name, result)],
  });
  const json = JSON.stringify({
    query: "a NUL: \0",
    match: { how: "wildcard", score: 1 },
    verdict_id: `v${run}`,
    revision,
    outcome,
    hard_fail: false,
    complete: true,
    close_reason: "root_complete",
    layers: {
      correctness: layer(outcome === "fail" ? "fail" : "pass", "not_in_answer"),
      path: layer("pass", "expected_tools"),
      cost: layer("pass", "max_total_tokens"),
    },
  });
  const tools = (made.tools ?? ["search"]).map((name) => ({ name, executed: true }));
  return {
    run: {
      runId: `${id}-1`,
      traceIds: [id],
      agent,
      service: "shop",
      conversationId: null,
      query: made.query ?? "where?",
      answer: "there",
      complete: true,
      startUnixMs: judgedUnixMs,
      durationMs: 100,
      totalTokens: 7,
      costUsd: made.costUsd === undefined ? 0.5 : made.costUsd,
      models: ["m"],
      json: JSON.stringify({ run_id: `${id}-1`, tools, attributes: { "service.version": '1"2' } }),
    },
    verdicts: [{ verdictId: `v${run}`, revision, spec: "s", queryId: "q", outcome, json }],
    unjudged: [],
    telemetry: new Map([[id, [{ signal: "traces", encoding: "protobuf", bytes: Uint8Array.of(0, 255, 7) }]]]),
    judgedUnixMs,
  };
}

const ids = async (store: PostgresStore): Promise<string[]> =>
  ((await store.verdicts({}, 100, null))?.verdicts ?? []).map(
    ({ verdictId, revision, outcome }) => `${verdictId} ${revision} ${outcome}`,
  );

describe.skipIf(!hasPostgres)("a store in PostgreSQL", () => {
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 30_000);
  afterAll(() => server.remove());

  test("two processes see each other's runs, verdicts, telemetry, sums, labels", async () => {
    await emptied();
    const [a, b] = [await opened(), await opened()];
    await a.add(record({ run: 1, outcome: "fail", tools: ["search", "book"] }));
    await b.add(record({ run: 2, agent: "trip_planner", query: "ÄRGER in\0Rom" }));
    expect(await ids(a)).toEqual(["v2 1 pass", "v1 1 fail"]);
    expect(await ids(b)).toEqual(await ids(a));
    expect((await a.verdicts({ agent: "TripPlanner" }, 1, null))?.verdicts[0]?.verdictId).toBe("v2");
    const second = await a.verdicts({}, 1, (await a.verdicts({}, 1, null))?.next ?? null);
    expect(second?.verdicts.map(({ verdictId }) => verdictId)).toEqual(["v1"]);
    expect((await a.verdicts({ text: "ärger" }, 10, null))?.verdicts).toHaveLength(1);
    expect((await a.runs({ text: "ärger" }, 10, null))?.items.map(({ query }) => query)).toEqual([
      "ÄRGER in�Rom",
    ]);
    const [first] = (await b.runs({ outcome: "fail" }, 10, null))?.items ?? [];
    expect(first).toMatchObject({
      outcome: "fail",
      total_tokens: 7,
      models: ["m"],
      verdicts: [{ verdict_id: "v1", layers: { correctness: "fail", path: "pass", cost: "pass" } }],
    });
    const runId = first?.run_id ?? "";
    expect(await b.telemetry(runId)).toEqual([
      { signal: "traces", encoding: "protobuf", bytes: Uint8Array.of(0, 255, 7) },
    ]);
    expect(await b.telemetry("nobody")).toBeUndefined();
    expect(await b.sums({ since: now - HOUR, until: now + HOUR, agent: "tripplanner" }, HOUR)).toMatchObject([
      {
        verdicts: 2,
        outcomes: { pass: 1, fail: 1 },
        mean_cost_usd: 0.5,
        mean_tokens: 7,
        agents: expect.any(Array) as unknown,
      },
    ]);
    expect(await b.samples({ attribute: ["service.version", '1"2'] }, 10)).toMatchObject([
      {
        runId: expect.stringContaining("2-1") as unknown,
        tools: ["search"],
        spec: "s",
        queryId: "q",
        isWildcard: true,
        query: expect.stringContaining("Rom") as unknown,
      },
      { tools: ["search", "book"], tokens: 7 },
    ]);
    expect(await b.samples({ attribute: ["service.version", "1"] }, 10)).toEqual([]);
    const said = { run_id: runId, verdict_id: "v1", label: "pass", note: "fine\0", author: null } as const;
    const { id } = (await b.annotate(said, now)) ?? {};
    expect(await a.annotations({ run: runId })).toMatchObject([{ id, label: "pass" }]);
    expect(await a.annotate({ ...said, verdict_id: "v2" }, now)).toBeUndefined();
    expect([...(await a.labels())]).toEqual([[runId, "pass"]]);
    expect(await a.removeAnnotation(id ?? 0)).toBe(true);
    expect(await a.status()).toMatchObject({ runs: 2, verdicts: 2, waiting: 0 });
  });

  test("each verdict is there once, whoever says it how often; the newest revision counts, in whatever order", async () => {
    await emptied();
    const [a, b] = [await opened(), await opened()];
    await Promise.all([a, b, a, b].map((store) => store.add(record({ outcome: "fail" }))));
    await b.add(record({ revision: 3, outcome: "pass", judgedUnixMs: now + HOUR, costUsd: null }));
    await a.add(record({ revision: 2, outcome: "fail" }));
    expect(await ids(a)).toEqual(["v1 3 pass"]);
    expect((await a.revisions("v1")).map(({ revision }) => revision)).toEqual([1, 2, 3]);
    expect((await a.verdict("v1", 2))?.outcome).toBe("fail");
    expect(await a.sums({ since: now - HOUR, until: now + HOUR }, null)).toMatchObject([
      { verdicts: 1, outcomes: { pass: 1 }, costs: 0, mean_cost_usd: null },
    ]);
  });

  test("a trace whose spans went to two processes is no clean pass, whoever learns it when", async () => {
    await emptied();
    const [a, b] = [await opened(), await opened()];
    const trace = record({ run: 9 }).run.traceIds;
    a.holders.seen(trace);
    await a.add(record({ run: 9 }));
    await until(async () => (await ids(a)).length === 1);
    expect(a.holders.isSplit(trace)).toBe(false);
    b.holders.seen(trace);
    await until(() => Promise.resolve(b.holders.isSplit(trace) && a.holders.isSplit(trace)));
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

  test("what is too old goes, with everything that belongs to it", async () => {
    await emptied();
    const store = await opened({ maxAgeMs: HOUR });
    await store.add(record({ run: 1, judgedUnixMs: now - 2 * HOUR }));
    await store.add(record({ run: 2 }));
    expect(await store.retainNow()).toBe(1);
    expect(await ids(store)).toEqual(["v2 1 pass"]);
    expect(await store.telemetry(record({ run: 1 }).run.runId)).toBeUndefined();
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

  test("a list of runs has the errors of those that failed, and no other text for one", async () => {
    await emptied();
    const store = await opened();
    for (const [at, json] of runsWithErrors.entries()) {
      const { run, ...rest } = record({ run: at + 1 });
      await store.add({ ...rest, run: { ...run, json } });
    }
    const found = (await store.runs({}, 10, null))?.items.map(({ error }) => error).reverse();
    expect(found).toEqual(errorsOfRuns);
  });

  test("what hostile telemetry makes of a run can be written", async () => {
    await emptied();
    const store = await opened();
    const { run, ...rest } = record({ run: 4, agent: `a\uD800"\\{},NULL\0${"é".repeat(20_000)}` });
    const odd = {
      totalTokens: 1.5e300,
      durationMs: 1e-7,
      costUsd: -0,
      service: "\uDC00\0",
      models: ["}\0{"],
    };
    await store.add({ ...rest, run: { ...run, ...odd } });
    expect((await store.runs({ agent: run.agent ?? "" }, 1, null))?.items).toMatchObject([
      { total_tokens: 1.5e300, duration_ms: 1e-7, models: ["}\0{"] },
    ]);
    expect(await store.run("\0")).toBeUndefined();
    expect(await store.verdict("\0", null)).toBeUndefined();
    expect((await store.verdicts({ text: "\0'; --", run: "\0", trace: "\0" }, 1, null))?.verdicts).toEqual(
      [],
    );
    const said = { run_id: "\0", verdict_id: null, label: null, note: "\0", author: "\0" };
    expect(await store.annotate(said, now)).toBeUndefined();
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
    await expect(opened()).rejects.toThrow(/newer version \(schema 99/);
    await emptied();
  });

  test("while it is away nothing waits for it; what it missed comes when it is back", async () => {
    await emptied();
    const warned: string[] = [];
    const failures: string[] = [];
    const events = { ...silentEvents, failed: ({ error }: { error: string }) => void failures.push(error) };
    await server.down();
    const store = await opened({ warn: (message) => warned.push(message), events });
    expect(warned[0]).toMatch(/does not answer/);
    const written = store.add(record());
    await until(() => Promise.resolve(failures.length > 0));
    await expect(store.verdicts({}, 1, null)).rejects.toThrow(/connect/i);
    expect(await store.status()).toMatchObject({ waiting: 1, trouble: expect.any(String) as unknown });
    await server.up();
    await written;
    expect(await ids(store)).toEqual(["v1 1 pass"]);
  }, 20_000);

  test("what a process could not write is written by the next one with its folder, once", async () => {
    await emptied();
    const folder = mkdtempSync(join(tmpdir(), "tracejury-queue-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await server.down();
    const spills = await openSpillsIn(folder);
    const store = await opened({ spill: spills.of(server.url) });
    const safe = Promise.all([store.add(record({ run: 1 })), store.add(record({ run: 2 }))]);
    await store.drain(0);
    await safe; // the journal may forget them
    await spills.close();
    await server.up();
    const again = await openSpillsIn(folder);
    onTestFinished(() => again.close());
    const next = await opened({ spill: again.of(server.url) });
    await next.add(record({ run: 1 }));
    await until(async () => (await ids(next)).length === 2);
    expect((await ids(next)).toSorted()).toEqual(["v1 1 pass", "v2 1 pass"]);
  }, 20_000);

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

async function openSpillsIn(dir: string): Promise<Spills> {
  const fail = (error: unknown): never => {
    throw error;
  };
  return openSpills({
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

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it did not come to that");
}
