import { afterEach, expect, test, vi } from "vitest";
import { Watch } from "../../src/receive/watch.ts";

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
