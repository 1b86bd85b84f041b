import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import type { Database } from "../../src/store/sqlite/database.ts";
import { findDriver } from "../../src/store/sqlite/driver.ts";
import { migrate, migrations } from "../../src/store/sqlite/migrations.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { type Counted, newestOf, sumsOf } from "./expected-sums.ts";
import { sqliteStore } from "./sqlite-of-test.ts";
import { HOUR, now, record } from "./stored-records.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("on a full disk the store writes as many records as fit, and the others when there is space again", async () => {
  const { database } = openDatabase(":memory:", now);
  const errors: string[] = [];
  const store = sqliteStore(":memory:", { database, onError: ({ message }) => errors.push(message) });
  const [size] = database.prepare("PRAGMA page_count").all();
  // SQLite reports the same error at this limit as on a full disk.
  database.exec(`PRAGMA max_page_count = ${Number(size?.["page_count"]) + 100}`);
  for (let run = 1; run <= 40; run++) store.add(record({ run, bytes: new Uint8Array(20_000).fill(run) }));

  expect(store.flush()).toBe(false);
  const status = (await store.status()) as { verdicts: number; waiting: number; left_out: number };
  expect(status.verdicts).toBeGreaterThan(5);
  expect(status).toMatchObject({ waiting: 40 - status.verdicts, left_out: 0, failures: 1 });
  expect(errors).toEqual(["database or disk is full"]);

  database.exec("PRAGMA max_page_count = 100000");
  expect(store.flush()).toBe(true);
  expect(await store.status()).toMatchObject({ verdicts: 40, waiting: 0, left_out: 0 });
});

const someRecord = fc.record({
  run: fc.nat(30),
  revision: fc.integer({ min: 1, max: 2 }),
  outcome: fc.constantFrom<Outcome>("pass", "fail", "incomplete"),
  agent: fc.constantFrom("a", "b", null),
  costUsd: fc.constantFrom(1, 2, null),
  hoursAgo: fc.integer({ min: 0, max: 100 }),
});

test("sums over days, weeks and what is left at both ends are those of the verdicts themselves, whatever was deleted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someRecord, { minLength: 1, maxLength: 40 }),
      fc.nat(100),
      fc.nat(100),
      fc.constantFrom(null, HOUR, 24 * HOUR, 7 * 24 * HOUR),
      fc.option(fc.integer({ min: 30, max: 110 })),
      async (made, from, length, bucketMs, keptHours) => {
        const maxAgeMs = (keptHours ?? 1e6) * HOUR;
        const store = sqliteStore(":memory:", { retention: { maxAgeMs, maxBytes: 1e15 } });
        const counted = made.map((one) => ({ ...one, hour: Math.floor(now / HOUR) - one.hoursAgo }));
        for (const one of made) store.add(record({ ...one, judgedUnixMs: now - one.hoursAgo * HOUR }));
        store.flush();
        store.retainNow();
        const first = Math.floor(now / HOUR) - from;
        const end = first + length;
        const cutoff = Math.floor((now - maxAgeMs) / HOUR);
        const given = await store.sums({ since: first * HOUR, until: end * HOUR }, bucketMs);
        const isWanted = ({ hour }: Counted) => hour >= first && hour < end && hour >= cutoff;
        expect(given).toMatchObject(sumsOf(newestOf(counted).filter(isWanted), bucketMs));
      },
    ),
    { numRuns: 60 },
  );
});

test("retention: beyond the size the oldest go until it fits, and the file gets smaller", async () => {
  const path = join(temporaryFolder(), "store.db");
  const store = sqliteStore(path, { retention: { maxAgeMs: 1e15, maxBytes: 3_000_000 } });
  for (let run = 1; run <= 1000; run++)
    store.add(record({ run, bytes: new Uint8Array(8000), judgedUnixMs: now - 1000 + run }));
  store.flush();
  // The limit is also checked while runs are written: a burst exceeds it by about one transaction.
  const before = (await store.status()) as { bytes: number; runs: number };
  expect(before.bytes).toBeLessThan(6_000_000);
  expect(before.runs).toBeLessThan(500);
  store.retainNow();
  const after = (await store.status()) as { bytes: number; runs: number };
  expect(after.bytes).toBeLessThan(3_000_000);
  expect(after.runs).toBeGreaterThan(0);
  expect((await store.verdicts({}, 1, null))?.verdicts[0]?.verdictId).toBe("v1000");
});

/** Two runs as the first version of the schema had them, ten days apart. */
const filled = [1, 240]
  .map((hours, at) => {
    const seen = now - hours * HOUR;
    const id = `run-${at}`;
    return `
      INSERT INTO runs (run_id, query, outcome, complete, start_ms, duration_ms, models, seen_ms, json)
        VALUES ('${id}', 'Where?', 'pass', 1, ${seen}, 5, '[]', ${seen}, '{}');
      INSERT INTO run_traces VALUES ('trace-${at}', '${id}');
      INSERT INTO verdicts (verdict_id, revision, latest, run_id, spec, query_id, outcome, judged_ms, trace_ids,
        duration_ms, text, json)
        VALUES ('verdict-${at}', 1, 1, '${id}', 's', 'q', 'pass', ${seen}, '[]', 5, '', '{}');
      INSERT INTO hours VALUES ('s', 'q', '', ${Math.floor(seen / HOUR)}, 'pass', 1, 5, 0, 0, 0, 0);`;
  })
  .join("");

/** Since schema 4 days are kept beside hours. */
const daysOfHours = `INSERT INTO days SELECT spec, query_id, agent, hour / 24 AS day, outcome, sum(verdicts), sum(duration_ms),
  sum(cost_usd), sum(costs), sum(tokens), sum(token_counts) FROM hours GROUP BY spec, query_id, agent, day, outcome`;

const killedWhileWriting = `
  const builtin = process.getBuiltinModule("node:sqlite");
  const path = process.argv[1];
  const database = builtin ? new builtin.DatabaseSync(path) : new (require("@photostructure/sqlite").DatabaseSync)(path);
  database.exec("PRAGMA cache_size = 1");
  database.exec("BEGIN IMMEDIATE");
  database.exec("DELETE FROM verdicts");
  database.exec("INSERT INTO run_traces SELECT hex(randomblob(16)), 'x'");
  process.kill(process.pid, "SIGKILL");
  setInterval(() => undefined, 1000);
`;

describe("the file", () => {
  test("a file that is not a database is put aside, and the process continues to serve", () => {
    const path = join(temporaryFolder(), "store.db");
    writeFileSync(path, "this is no database, but long enough to look like something".repeat(100));
    const { database, warning } = openDatabase(path, now);
    expect(warning).toContain(`renamed to ${path}.damaged-${now}`);
    expect(readdirSync(join(path, ".."))).toContain(`store.db.damaged-${now}`);
    database.close();
  });

  test("a schema of a newer version is refused, and left alone", () => {
    const path = join(temporaryFolder(), "store.db");
    const { database } = openDatabase(path, now);
    database.exec("CREATE TABLE of_a_newer_version (a); PRAGMA user_version = 99");
    database.close();
    expect(() => openDatabase(path, now)).toThrow(/newer version of Tracejury \(schema 99/);
    expect(readdirSync(join(path, "..")).filter((name) => name.includes("damaged"))).toEqual([]);
  });

  test.each(migrations.map((_, version) => version))(
    "schema %i is brought up to date, with what is in it",
    async (version) => {
      const path = join(temporaryFolder(), "store.db");
      const database = findDriver()?.open(path) as Database;
      migrate(database, path, migrations.slice(0, version));
      if (version > 0) database.exec(filled);
      if (version > 3) database.exec(daysOfHours);
      database.close();
      const store = sqliteStore(path);
      const found = version === 0 ? 0 : 2;
      expect(await store.status()).toMatchObject({ verdicts: found, runs: found });
      const month = { since: now - 30 * 24 * HOUR, until: now + HOUR };
      const sums = await store.sums(month, null);
      expect(sums.reduce((all, { verdicts }) => all + verdicts, 0)).toBe(found);
      store.add(record({ run: 77 }));
      store.flush();
      expect((await store.verdicts({}, 10, null))?.verdicts).toHaveLength(found + 1);
      expect((await store.runs({ text: "WHERE" }, 10, null))?.items).toHaveLength(found + 1);
      expect((await store.sums(month, 24 * HOUR)).reduce((all, one) => all + one.verdicts, 0)).toBe(
        found + 1,
      );
    },
  );

  test("of two processes that open a new file at the same moment, one waits for the tables of the other", () => {
    const path = join(temporaryFolder(), "store.db");
    const [first, second] = [path, path].map((one) => findDriver()?.open(one) as Database);
    onTestFinished(() => [first, second].forEach((one) => one?.close()));
    const seen: unknown[] = [];
    migrate(first as Database, path, migrations, (version) => {
      seen.push(version);
      expect(() => migrate(second as Database, path)).toThrow(/locked/);
    });
    migrate(second as Database, path, migrations, (version) => seen.push(version));
    expect(seen).toEqual([0, migrations.length]);
  });

  test("a migration that fails halfway leaves the schema before it", () => {
    const database = findDriver()?.open(":memory:") as Database;
    onTestFinished(() => database.close());
    migrate(database, "x");
    expect(() =>
      migrate(database, "x", [...migrations, "CREATE TABLE more (a); CREATE TABLE runs (b);"]),
    ).toThrow(/already exists/);
    expect(Object.values(database.prepare("PRAGMA user_version").get() ?? {})[0]).toBe(migrations.length);
    expect(() => database.prepare("SELECT * FROM more")).toThrow(/no such table/);
  });

  test("records that were not committed when the process died are not half there", async () => {
    const path = join(temporaryFolder(), "store.db");
    const first = sqliteStore(path);
    first.add(record({ run: 1 }));
    first.flush();
    const { signal } = spawnSync(process.execPath, ["-e", killedWhileWriting, path]);
    expect(signal).toBe("SIGKILL");
    const again = sqliteStore(path);
    expect((await again.verdicts({}, 10, null))?.verdicts).toHaveLength(1);
  });
});

describe("writing that fails", () => {
  test("is tried again while it may pass, and says so; nothing is lost meanwhile", async () => {
    const path = join(temporaryFolder(), "store.db");
    const errors: string[] = [];
    const store = sqliteStore(path, { onError: ({ message }) => errors.push(message) });
    const { database: other } = openDatabase(path, now);
    other.exec("BEGIN IMMEDIATE");
    store.add(record());
    expect(store.flush()).toBe(false);
    other.exec("COMMIT");
    other.close();
    expect(errors[0]).toMatch(/locked/);
    expect(store.flush()).toBe(true);
    expect((await store.verdicts({}, 10, null))?.verdicts).toHaveLength(1);
  });

  test("runs that exceed the memory limit are dropped and counted", () => {
    const store = sqliteStore(":memory:", { mostWaitingBytes: 10_000, gatherMs: 60_000 });
    const taken = [1, 2, 3].map((run) => store.add(record({ run, bytes: new Uint8Array(6000) })));
    expect(taken).toEqual([true, false, false]);
    expect(store.leftOut).toBe(2);
  });
});
