import { expect, test } from "vitest";
import type { Engine } from "../../src/replay/engine.ts";
import { evict } from "../../src/collector/memory.ts";
import type { MemoryBudget } from "../../src/receive/admission/memory-budget.ts";

/** An engine of which each open trace, each fragment that waits and each run of a conversation takes a byte. */
function engineWith(openTraces: number, fragments: number, conversed = 0) {
  const held = { openTraces, fragments, conversed };
  const assembler = {
    get heldBytes() {
      return held.openTraces;
    },
  };
  const pipeline = {
    get fragmentBytes() {
      return held.fragments;
    },
    get conversationBytes() {
      return held.conversed;
    },
    evictConversations: (target: number, most: number) =>
      (held.conversed = Math.max(target, held.conversed - most)),
    forgetReleased: () => undefined,
    evictFragments: (most: number) => (held.fragments -= Math.min(most, held.fragments)),
    evict: (target: number, _: number, most: number) =>
      (held.openTraces = Math.max(target, held.openTraces - most)),
  };
  return { held, engine: { assembler, pipeline } as unknown as Engine };
}

function budgetWithExcess(bytes: number): MemoryBudget {
  const budget = { check: () => undefined, takeWanted: () => 0, takeExcess: () => bytes };
  return budget as unknown as MemoryBudget;
}

const never = (): boolean => false;

test.each([
  ["open traces", [1_000, 100, 50], [700, 100, 50]],
  ["fragments that wait", [100, 1_000, 50], [100, 700, 50]],
  ["runs of conversations", [100, 50, 1_000], [100, 50, 700]],
] as const)("memory is taken from what holds most of it: %s", (_, before, after) => {
  const { held, engine } = engineWith(before[0], before[1], before[2]);
  evict(budgetWithExcess(300), engine, 0, null, never);
  for (const [at, bytes] of Object.values(held).entries())
    expect(Math.abs(bytes - (after[at] ?? 0))).toBeLessThan(10);
});

test("nothing is closed early while verdicts come faster than they are written: they would take memory and free none", () => {
  const { held, engine } = engineWith(1_000, 1_000);
  evict(budgetWithExcess(500), engine, 0, null, () => true);
  expect(held).toEqual({ openTraces: 1_000, fragments: 1_000, conversed: 0 });
});
