import fc from "fast-check";
import { expect, test } from "vitest";
import { Allowance } from "../../src/interfaces/api/http/allowance.ts";
import { createRecentStore, type RecentStore } from "../../src/interfaces/api/recent/recent-store.ts";
import type { Batch } from "../../src/otlp/rows/batch.ts";
import { Ring } from "../../src/interfaces/api/recent/ring.ts";
import { checkOf, judgedRun, verdictOf } from "../support/verdict-of.ts";

test("a ring keeps what a list would keep that drops its oldest until it fits", () => {
  const entries = fc.array(fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 40 })), { maxLength: 200 });
  fc.assert(
    fc.property(
      entries,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 60 }),
      (puts, most, bytes) => {
        const ring = new Ring<{ json: string; size: number }>(most, bytes);
        let list: { key: string; json: string }[] = [];
        const size = (): number => list.reduce((sum, one) => sum + one.json.length, 0);
        for (const [key, length] of puts) {
          const json = "x".repeat(length);
          ring.put(`k${key}`, { json, size: length });
          list = list.filter((one) => one.key !== `k${key}`);
          if (length <= bytes) list.push({ key: `k${key}`, json });
          while (list.length > most || size() > bytes) list.shift();
        }
        expect([...ring.newestFirst()].map(([, entry]) => entry.json)).toEqual(
          list.map((one) => one.json).reverse(),
        );
        for (const { key, json } of list) expect(ring.get(key)?.json).toBe(json);
      },
    ),
  );
});

test("an allowance lets a burst through, then so many a second", () => {
  const allowance = new Allowance(10, 2);
  const taken = (at: number): number =>
    Array.from({ length: 100 }, () => allowance.take(at)).filter(Boolean).length;
  expect([taken(1000), taken(1000), taken(2000), taken(2400), taken(2500), taken(1_000_000)]).toEqual([
    10, 0, 2, 0, 1, 10,
  ]);
});

const failed = [checkOf({ check: "regex_match", layer: "correctness", outcome: "fail" })];
const passed = [checkOf({ check: "regex_match", layer: "correctness" })];
const requestOf = (byteLength: number): ReadonlySet<Batch> => new Set([{ byteLength } as Batch]);

function storeOf(limits: { mostBytes?: number } = {}): { store: RecentStore; rendered: string[] } {
  const rendered: string[] = [];
  const store = createRecentStore({
    renderVerdict: ({ verdictId }) => JSON.stringify({ verdict_id: verdictId }),
    renderRun: ({ runId }) => {
      rendered.push(runId);
      return JSON.stringify({ run_id: runId });
    },
    now: () => 0,
    ...limits,
  });
  return { store, rendered };
}

test("a run is rendered when somebody asks for it, or when its requests take the room of newer ones", async () => {
  const { store, rendered } = storeOf({ mostBytes: 3000 });
  for (const runId of ["a", "b", "c", "d"])
    store.add({ shown: judgedRun({ runId }), verdicts: [] }, requestOf(400), 0);
  expect(rendered).toEqual(["a", "b"]);
  expect((await store.run("d"))?.json).toBe('{"run_id":"d"}');
  expect((await store.run("a"))?.json).toBe('{"run_id":"a"}');
  expect(rendered).toEqual(["a", "b", "d"]);
});

test("a run that late spans changed has only the verdicts that its newest version has", async () => {
  const { store } = storeOf();
  const run = judgedRun();
  const add = (given: Partial<typeof run>, verdicts: readonly ReturnType<typeof verdictOf>[]): void =>
    store.add({ shown: { ...run, ...given }, verdicts }, requestOf(400), 0);
  const ids = async () => (await store.run(run.runId))?.verdicts.map(({ verdictId }) => verdictId);
  add({}, [verdictOf(failed, { verdictId: "a" }), verdictOf(passed, { verdictId: "b" })]);
  add({ replaces: [run.runId] }, [verdictOf(passed, { verdictId: "b", revision: 2 })]);
  expect(await ids()).toEqual(["b", "b"]);
  add({ replaces: [run.runId] }, []);
  expect(await ids()).toEqual([]);
});

test("a run that late spans changed keeps the verdict of the conversation that it begins", async () => {
  const { store } = storeOf();
  const run = judgedRun();
  const ofConversation = verdictOf(passed, { verdictId: "c" });
  const verdict = { ...ofConversation, run: { ...ofConversation.run, turns: [run] } };
  store.add({ shown: run, verdicts: [verdictOf(failed, { verdictId: "a" })] }, requestOf(400), 0);
  store.add({ shown: undefined, verdicts: [verdict] }, requestOf(400), 0);
  store.add({ shown: { ...run, replaces: [run.runId] }, verdicts: [] }, requestOf(400), 0);
  expect((await store.run(run.runId))?.verdicts.map(({ verdictId }) => verdictId)).toEqual(["c"]);
});

test("under load passed verdicts give way, and what is left out is counted", async () => {
  const { store } = storeOf({ mostBytes: 300_000 });
  for (let n = 0; n < 1000; n++) {
    const verdicts = [verdictOf(passed, { verdictId: `good-${n}` })];
    if (n < 5) verdicts.push(verdictOf(failed, { verdictId: `bad-${n}` }));
    store.add({ shown: undefined, verdicts }, requestOf(1000), n);
  }
  expect((await store.verdicts({ outcome: "fail" }, 10, null))?.verdicts).toHaveLength(5);
  expect((await store.verdicts({}, 1000, null))?.verdicts).toHaveLength(537);
  expect(store.leftOut).toBe(468);
});
