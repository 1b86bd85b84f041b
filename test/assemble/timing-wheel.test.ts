import fc from "fast-check";
import { expect, test } from "vitest";
import { garbageCollector } from "../../src/receive/admission/garbage.ts";
import { type Timed, TimingWheel } from "../../src/assemble/timeouts/timing-wheel.ts";

const TICK = 100;

test("each entry comes out once, at its last deadline, never before it and at most a tick after", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(9), fc.nat(5_000)), { maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 20, maxLength: 20 }),
      (puts, steps) => {
        const wheel = new TimingWheel<{ name: number; wheelTick: number; wheelPlace: number }>(TICK);
        const entries = Array.from({ length: 10 }, (_, name) => ({ name, wheelTick: -1, wheelPlace: 0 }));
        const deadline = new Map<number, number>();
        for (const [name, due] of puts) {
          const entry = entries[name];
          if (entry === undefined) continue;
          wheel.put(entry, due);
          deadline.set(name, due);
        }
        let now = 0;
        for (const step of steps) {
          now += step;
          for (const { name } of wheel.take(now)) {
            expect(deadline.get(name)).toBeLessThanOrEqual(now);
            deadline.delete(name);
          }
          for (const due of deadline.values()) expect(due).toBeGreaterThan(now - TICK);
        }
      },
    ),
  );
});

test("what is removed or moved is let go of at once, not when its deadline comes", async () => {
  const wheel = new TimingWheel<Timed>(TICK);
  const stays = { wheelTick: -1, wheelPlace: 0 };
  const put = (): Timed => {
    const entry = { wheelTick: -1, wheelPlace: 0 };
    wheel.put(entry, 300_000);
    return entry;
  };
  const letGo = [put(), put()].map((entry) => {
    wheel.put(stays, 300_000);
    wheel.remove(entry);
    return new WeakRef(entry);
  });
  await new Promise((resolve) => setImmediate(resolve));
  garbageCollector()();
  expect(letGo.map((one) => one.deref())).toEqual([undefined, undefined]);
  expect(wheel.take(300_000)).toEqual([stays]);
});
