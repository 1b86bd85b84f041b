import { expect, test } from "vitest";
import { RevisionPolicy } from "../../src/export/revision-policy.ts";

const lateWindowMs = 120_000;

test.each([
  ["all", ["send", "send", "send"]],
  ["first", ["send", "leave", "leave"]],
  ["final", ["send", "hold", "hold"]],
] as const)("%s: revisions 1, 2 and 3", (choice, decisions) => {
  const policy = new RevisionPolicy(choice, lateWindowMs);
  expect([1, 2, 3].map((revision) => policy.decide(revision))).toEqual(decisions);
});

test("of several revisions that are held only the last goes out, once no later one can come", () => {
  const policy = new RevisionPolicy<string>("final", lateWindowMs);
  policy.hold("v", "second", 20_000);
  policy.hold("v", "third", 30_000);
  expect(policy.due(20_000 + lateWindowMs)).toEqual([]);
  expect(policy.due(30_000 + lateWindowMs)).toEqual(["third"]);
  expect(policy.due(Infinity)).toEqual([]);
});

test("holding is bounded: when it is too much, what waits longest goes out early", () => {
  const policy = new RevisionPolicy<number>("final", lateWindowMs);
  const early: number[] = [];
  for (let n = 0; n < 1500; n++) early.push(...policy.hold(`v${n}`, n, 0));
  expect(early).toEqual(Array.from({ length: 500 }, (_, n) => n));
  expect(policy.drain()).toHaveLength(1000);
});
