import { describe, expect, test } from "vitest";
import { SendWindow } from "../../src/export/forward/backend/send-window.ts";

function opened(atOnce = 4) {
  const clock = { nowMs: 0 };
  const window = new SendWindow({ atOnce, now: () => clock.nowMs, random: () => 0.5 });
  return { clock, window };
}

describe("how many requests a backend is sent at one time", () => {
  test("half as many after a failure, but several; one more after each success", () => {
    const { window } = opened(8);
    window.succeeded();
    const after = (what: "fails" | "succeeds"): number => {
      if (what === "fails") window.failed(0);
      else window.succeeded();
      return window.atOnce;
    };

    expect((["fails", "fails", "fails"] as const).map(after)).toEqual([4, 2, 2]);
    expect(Array.from({ length: 7 }, () => after("succeeds"))).toEqual([3, 4, 5, 6, 7, 8, 8]);
  });

  test("Retry-After: 0 pauses nothing while others get through, a wait that is asked for pauses all", () => {
    const { clock, window } = opened();
    window.succeeded();
    clock.nowMs = 1_000;
    for (let failures = 0; failures < 9; failures++) window.failed(0);
    expect(window.isDown).toBe(false);
    expect(window.pausedUntilMs).toBeLessThanOrEqual(clock.nowMs);
    window.failed(7_000);
    expect(window.pausedUntilMs).toBe(8_000);
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
    const { clock, window } = opened();
    if (succeededMs !== null) window.succeeded();
    clock.nowMs = afterMs;
    for (let failure = 0; failure < failures; failure++) window.failed(null);

    expect(window.isDown).toBe(isDown);
    expect(window.atOnce).toBe(isDown ? 1 : 2);
  });

  test("while it is down the pauses grow up to half a minute, whatever wait is asked for; a success ends them", () => {
    const { clock, window } = opened();
    const pauses = Array.from({ length: 14 }, () => {
      window.failed(0);
      const pauseMs = window.pausedUntilMs - clock.nowMs;
      clock.nowMs = Math.max(clock.nowMs, window.pausedUntilMs);
      return pauseMs;
    });
    expect(pauses.slice(2, 5)).toEqual([1_000, 1_500, 2_250]);
    expect(pauses.at(-1)).toBe(30_000);
    window.succeeded();
    window.failed(0);
    expect(window.isDown).toBe(false);
    expect(window.pausedUntilMs).toBeLessThanOrEqual(clock.nowMs);
  });
});
