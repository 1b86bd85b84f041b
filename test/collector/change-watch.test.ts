import { describe, expect, onTestFinished, test } from "vitest";
import { ChangeWatch, type ChangeWatchOptions } from "../../src/collector/evaluation/change-watch.ts";
import { sqliteStore } from "../store/sqlite-of-test.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { eventLoopTurns } from "../support/eventually.ts";
import { trendRecord } from "../store/stored-records.ts";

const DAY = 86_400_000;
const start = Date.UTC(2026, 10, 1, 12);

/** Ten runs a day; from `brokenAt` on version 2 answers, and every second run fails. */
function fill(store: SqliteStore, days: readonly [from: number, to: number], brokenAt: number): void {
  for (let at = days[0] * 10; at < days[1] * 10; at++) {
    const isNew = at >= brokenAt * 10;
    store.add(trendRecord(at + 1, isNew, start + at * (DAY / 10)));
  }
  store.flush();
}

interface Published {
  readonly change_id: string;
  readonly measure: string;
  readonly text: string;
  readonly worse: boolean;
}

interface Watched {
  readonly watch: ChangeWatch;
  readonly published: { readonly change: Published; readonly done: () => void }[];
  readonly found: Parameters<ChangeWatchOptions["onFound"]>[0][];
}

/** A process that watches the store. Its time is that of `clock`. */
function watching(archive: ChangeWatchOptions["archive"], clock: { day: number }, delivers = true): Watched {
  const published: Watched["published"] = [];
  const found: Watched["found"] = [];
  const watch = new ChangeWatch({
    archive,
    everyMs: DAY,
    publish: (change, done) => {
      published.push({ change: change as Published, done });
      if (delivers) done();
    },
    onFound: (about) => found.push(about),
    onError: (error) => {
      throw error;
    },
    graceMs: 60_000,
    now: () => start + clock.day * DAY,
  });
  onTestFinished(() => watch.stop(0));
  return { watch, published, found };
}

describe("the watch for changes", () => {
  test("publishes a change once, however often it looks, and after a restart", async () => {
    const store = sqliteStore(":memory:", { now: () => start });
    fill(store, [0, 20], 20);
    const clock = { day: 20 };
    const first = watching(store, clock);
    await first.watch.look();
    expect(first.published).toEqual([]);
    fill(store, [20, 23], 20);
    for (clock.day = 21; clock.day < 24; clock.day++) await first.watch.look();
    expect(first.published.map(({ change }) => change)).toMatchObject([
      {
        measure: "pass_rate",
        worse: true,
        text: expect.stringMatching(
          /^pass rate fell from 100 % to \d+ % .* since 2026-11-2\d .* UTC\. At the same time: service.version 1\.9 → 2\.0/,
        ),
      },
    ]);
    expect(first.found).toEqual([{ spec: "s", query: "q", measure: "pass_rate", isWorse: true }]);
    await first.watch.stop(0);
    const second = watching(store, clock);
    fill(store, [23, 30], 20);
    for (clock.day = 24; clock.day < 31; clock.day++) await second.watch.look();
    expect(second.published).toEqual([]);
    const known = await store.changes({}, 10);
    expect(known.map(({ json }) => (JSON.parse(json) as Published).change_id)).toEqual([
      first.published[0]?.change.change_id,
    ]);
  });

  test("a later change of the same query is another one", async () => {
    const store = sqliteStore(":memory:", { now: () => start });
    fill(store, [0, 15], 8);
    const clock = { day: 15 };
    const { watch, published } = watching(store, clock);
    await watch.look();
    // Repaired: all pass.
    fill(store, [15, 22], 1000);
    for (clock.day = 16; clock.day < 23; clock.day++) await watch.look();
    expect(published.map(({ change }) => [change.measure, change.worse])).toEqual([
      ["pass_rate", true],
      ["pass_rate", false],
    ]);
    expect(new Set(published.map(({ change }) => change.change_id)).size).toBe(2);
  });

  test("two processes that share a store publish it once together", async () => {
    const store = sqliteStore(":memory:", { now: () => start });
    fill(store, [0, 25], 20);
    const clock = { day: 25 };
    const both = [watching(store, clock), watching(store, clock)];
    await Promise.all(both.map(({ watch }) => watch.look()));
    expect(both.flatMap(({ published }) => published)).toHaveLength(1);
  });

  test("what a process could not send before it ended, the next one sends; what was sent, it does not", async () => {
    const store = sqliteStore(":memory:", { now: () => start });
    fill(store, [0, 25], 20);
    const clock = { day: 25 };
    const dying = watching(store, clock, false);
    await dying.watch.look();
    expect(dying.published).toHaveLength(1);
    // It is still at it: neither itself nor another process takes it over.
    clock.day += 2 / 1440;
    await dying.watch.look();
    expect(dying.published).toHaveLength(1);
    const next = watching(store, clock);
    await next.watch.look();
    expect(next.published).toEqual([]);
    clock.day += 2 / 1440;
    await next.watch.look();
    expect(next.published.map(({ change }) => change)).toEqual(dying.published.map(({ change }) => change));
    await eventLoopTurns(); // the store notes that it was sent
    clock.day += 1;
    await next.watch.look();
    expect(next.published).toHaveLength(1);
  });

  test("old changes of a store that was never looked at are recorded, and nobody is notified of them", async () => {
    const store = sqliteStore(":memory:", { now: () => start });
    fill(store, [0, 28], 10);
    const clock = { day: 28 };
    const { watch, published } = watching(store, clock);
    await watch.look();
    expect(published).toEqual([]);
    expect(await store.changes({}, 10)).toHaveLength(1);
  });
});
