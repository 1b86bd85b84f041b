import { expect, test } from "vitest";
import { eventLoopTurns, until } from "../support/eventually.ts";
import { closeInTimeSlices } from "../../src/collector/evaluation/time-slices.ts";
import type { Engine } from "../../src/replay/engine.ts";

function throwOn(error: unknown): never {
  throw error;
}

/** Traces that are due without end; the clock goes on by ten milliseconds with each look at it. */
function endlesslyDue() {
  let ticks = 0;
  let nowMs = 0;
  const tick = (): boolean => ++ticks > 0;
  const pipeline = { tick } as unknown as Engine["pipeline"];
  const never = (): boolean => false;
  const closing = closeInTimeSlices({ pipeline }, () => (nowMs += 10), never, throwOn);
  return { closing, ticks: () => ticks };
}

test("closing many due traces goes on in slices, between which others get their turn", async () => {
  const { closing, ticks } = endlesslyDue();
  closing.catchUp();
  const first = ticks();
  expect(first).toBeLessThan(10);
  await until(() => ticks() > first);
  closing.stop();
});

test("once stopped, no trace is closed any more: the journal is closed next", async () => {
  const { closing, ticks } = endlesslyDue();
  closing.catchUp();
  closing.stop();
  const closed = ticks();
  await eventLoopTurns();
  expect(ticks()).toBe(closed);
});

test("no trace is closed while verdicts arrive faster than they are written", () => {
  let ticks = 0;
  let isBehind = true;
  const pipeline = { tick: () => ++ticks < 0 } as unknown as Engine["pipeline"];
  const closing = closeInTimeSlices(
    { pipeline },
    () => 0,
    () => isBehind,
    throwOn,
  );
  closing.catchUp();
  expect(ticks).toBe(0);
  isBehind = false;
  closing.catchUp();
  expect(ticks).toBe(1);
});
