import { afterEach, expect, test, vi } from "vitest";
import { DEFAULT_TIMEOUTS, Pace } from "../../src/receive/connection/pace.ts";
import { Watch } from "../../src/receive/connection/watch.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a sender is not told slow for the time that the receiver itself could not work", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const checks: number[] = [];
  const watch = new Watch(250);
  watch.add({ check: (nowMs) => void checks.push(nowMs) });
  for (const sweptMs of [250, 500, 15_000, 15_250, 15_500]) {
    now.mockReturnValue(sweptMs);
    vi.advanceTimersByTime(250);
  }
  watch.stop();
  expect(checks).toEqual([250, 500, 15_250, 15_500]);
});

test("a body that nobody could read is not too slow; one that does not come is", () => {
  const starved = new Pace(0);
  for (const nowMs of [4_000, 8_000, 12_000, 16_000])
    expect(starved.tooSlow(nowMs, 0, DEFAULT_TIMEOUTS)).toBe(false);
  const idle = new Pace(0);
  const looks = Array.from({ length: 41 }, (_, look) => idle.tooSlow(look * 250, 0, DEFAULT_TIMEOUTS));
  expect(looks.indexOf(true)).toBe(40);
});
