import { describe, expect, test } from "vitest";
import { Breaker } from "../../src/export/queue/breaker.ts";

function opened(atOnce = 4) {
  const clock = { nowMs: 0 };
  const breaker = new Breaker({ atOnce, opensAfter: 10, now: () => clock.nowMs, random: () => 0.5 });
  return { clock, breaker };
}

describe("how many requests a backend is sent at one time", () => {
  test("half as many after a failure, but several; one more after each success", () => {
    const { breaker } = opened(8);
    breaker.answered();
    const after = (what: "fails" | "succeeds"): number => {
      if (what === "fails") breaker.failed(0);
      else breaker.answered();
      return breaker.atOnce;
    };

    expect((["fails", "fails", "fails"] as const).map(after)).toEqual([4, 2, 2]);
    expect(Array.from({ length: 7 }, () => after("succeeds"))).toEqual([3, 4, 5, 6, 7, 8, 8]);
  });

  test("Retry-After: 0 pauses nothing while others get through, a wait that is asked for pauses all", () => {
    const { clock, breaker } = opened();
    breaker.answered();
    clock.nowMs = 1_000;
    for (let failures = 0; failures < 9; failures++) breaker.failed(0);
    expect(breaker.isOpen).toBe(false);
    expect(breaker.pausedUntilMs).toBeLessThanOrEqual(clock.nowMs);
    breaker.failed(7_000);
    expect(breaker.pausedUntilMs).toBe(8_000);
  });

  test.each([
    { name: "three failures and never a success", failures: 3, succeededMs: null, afterMs: 0, isDown: true },
    { name: "two failures and never a success", failures: 2, succeededMs: null, afterMs: 0, isDown: false },
    { name: "three failures just after a success", failures: 3, succeededMs: 0, afterMs: 100, isDown: false },
    {
      name: "three failures, the last success five seconds ago",
      failures: 3,
      succeededMs: 0,
      afterMs: 5_000,
      isDown: true,
    },
    { name: "ten failures just after a success", failures: 10, succeededMs: 0, afterMs: 100, isDown: true },
  ])("$name: down is $isDown", ({ failures, succeededMs, afterMs, isDown }) => {
    const { clock, breaker } = opened();
    if (succeededMs !== null) breaker.answered();
    clock.nowMs = afterMs;
    for (let failure = 0; failure < failures; failure++) breaker.failed(null);

    expect(breaker.isOpen).toBe(isDown);
    expect(breaker.atOnce).toBe(isDown ? 1 : 2);
  });

  test("while it is down the pauses grow up to half a minute, whatever wait is asked for; a success ends them", () => {
    const { clock, breaker } = opened();
    const pauses = Array.from({ length: 14 }, () => {
      breaker.failed(0);
      const pauseMs = breaker.pausedUntilMs - clock.nowMs;
      clock.nowMs = Math.max(clock.nowMs, breaker.pausedUntilMs);
      return pauseMs;
    });
    expect(pauses.slice(2, 5)).toEqual([1_000, 1_500, 2_250]);
    expect(pauses.at(-1)).toBe(30_000);
    breaker.answered();
    breaker.failed(0);
    expect(breaker.isOpen).toBe(false);
    expect(breaker.pausedUntilMs).toBeLessThanOrEqual(clock.nowMs);
  });
});
