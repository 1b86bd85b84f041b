import { expect, test } from "vitest";
import { FailedAttempts } from "../../src/export/queue/failed-attempts.ts";

/** Times of failures, each with the time of the backend's last success. */
test.each<[string, (readonly [number, number])[], boolean]>([
  ["nothing succeeds", [1, 2, 3, 4, 5, 6, 70].map((at) => [at * 10, -1]), false],
  ["others succeed in between", [1, 2, 3, 4, 5, 60].map((at) => [at * 10, at * 10 - 1]), true],
  ["others succeed, but too few failures", [1, 2, 3, 4, 60].map((at) => [at * 10, at * 10 - 1]), false],
  ["others succeed, but not for long enough", [1, 2, 3, 4, 5, 6].map((at) => [at * 10, at * 10 - 1]), false],
  [
    "a success before the first failure does not count",
    [
      [10, 5],
      [700, 5],
    ],
    false,
  ],
  [
    "a long outage, then one success",
    [...[1, 2, 3, 4, 5, 6].map((at) => [at * 10, -1] as const), [900, 899]],
    false,
  ],
])("%s", (_, failures, isOver) => {
  const attempts = new FailedAttempts();
  let isCounted = false;
  for (const [at, successMs] of failures) isCounted = attempts.add(at, successMs);
  expect(isCounted && attempts.isOver(failures.at(-1)?.[0] ?? 0, 500)).toBe(isOver);
  expect(attempts.tries).toBe(failures.length);
});
