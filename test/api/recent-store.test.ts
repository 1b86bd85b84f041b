import fc from "fast-check";
import { expect, test } from "vitest";
import { Allowance } from "../../src/api/allowance.ts";
import { createRecentStore } from "../../src/api/recent-store.ts";
import { Ring } from "../../src/api/ring.ts";
import { checkOf, judgedRun, verdictOf } from "../support/verdict-of.ts";

test("a ring keeps what a list would keep that drops its oldest until it fits", () => {
  const entries = fc.array(fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 40 })), { maxLength: 200 });
  fc.assert(
    fc.property(
      entries,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 60 }),
      (puts, most, bytes) => {
        const ring = new Ring<{ json: string }>(most, bytes);
        let list: { key: string; json: string }[] = [];
        const size = (): number => list.reduce((sum, one) => sum + one.json.length, 0);
        for (const [key, length] of puts) {
          const json = "x".repeat(length);
          ring.put(`k${key}`, { json });
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

test("numbers in a ring fall from newest to oldest, so that a page can go on where the last ended", () => {
  const ring = new Ring<{ json: string }>(100, 1000);
  for (let n = 0; n < 300; n++) ring.put(`k${n % 150}`, { json: "x" });
  const numbers = [...ring.newestFirst()].map(([number]) => number);
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
  expect(new Set(numbers).size).toBe(100);
});

test("an allowance lets a burst through, then so many a second", () => {
  const allowance = new Allowance(10, 2);
  const taken = (at: number): number =>
    Array.from({ length: 100 }, () => allowance.take(at)).filter(Boolean).length;
  expect([taken(1000), taken(1000), taken(2000), taken(2400), taken(2500), taken(1_000_000)]).toEqual([
    10, 0, 2, 0, 1, 10,
  ]);
});

test("under load passed verdicts give way, and what is left out is counted", async () => {
  const store = createRecentStore({
    renderVerdict: ({ verdictId }) => ({ verdict_id: verdictId }),
    renderRun: ({ runId }) => ({ run_id: runId }),
    mostVerdicts: 100,
    now: () => 0,
  });
  const failed = [checkOf({ check: "regex_match", layer: "correctness", outcome: "fail" })];
  const passed = [checkOf({ check: "regex_match", layer: "correctness" })];
  for (let n = 0; n < 1000; n++) store.addVerdict(verdictOf(passed, { verdictId: `good-${n}` }), n);
  for (let n = 0; n < 5; n++) store.addVerdict(verdictOf(failed, { verdictId: `bad-${n}` }), n);
  expect((await store.verdicts({ outcome: "fail" }, 10, null))?.verdicts).toHaveLength(5);
  expect(store.leftOut).toBe(900);
  store.addRun(judgedRun());
  expect(await store.run(judgedRun().runId)).toBeDefined();
});
