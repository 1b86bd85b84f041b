import { expect, test } from "vitest";
import { RevisionPolicy } from "../../src/export/revision-policy.ts";
import { verdictOf } from "../support/verdict-of.ts";

const revision = (n: number, verdictId = "v-1") => verdictOf([], { verdictId, revision: n });
const lateWindowMs = 120_000;

test("all: each revision goes out at once", () => {
  const policy = new RevisionPolicy("all", lateWindowMs);
  expect([1, 2, 3].map((n) => policy.admits(revision(n), n))).toEqual([true, true, true]);
  expect(policy.drain()).toEqual([]);
});

test("first: later revisions never go out", () => {
  const policy = new RevisionPolicy("first", lateWindowMs);
  expect([1, 2].map((n) => policy.admits(revision(n), n))).toEqual([true, false]);
  expect(policy.drain()).toEqual([]);
});

test("final: a verdict that is never revised goes out at once, once", () => {
  const policy = new RevisionPolicy("final", lateWindowMs);
  expect(policy.admits(revision(1), 0)).toBe(true);
  expect(policy.due(10 * lateWindowMs)).toEqual([]);
});

test("final: of several revisions only the last goes out, when the late window is over", () => {
  const policy = new RevisionPolicy("final", lateWindowMs);
  policy.admits(revision(1), 1000);
  expect(policy.admits(revision(2), 20_000)).toBe(false);
  expect(policy.admits(revision(3), 30_000)).toBe(false);
  expect(policy.due(1000 + lateWindowMs - 1)).toEqual([]);
  expect(policy.due(1000 + lateWindowMs).map((verdict) => verdict.revision)).toEqual([3]);
  expect(policy.due(Infinity)).toEqual([]);
});

test("final: at the end what is held goes out", () => {
  const policy = new RevisionPolicy("final", lateWindowMs);
  for (const id of ["a", "b"]) for (const n of [1, 2]) policy.admits(revision(n, id), 0);
  expect(policy.drain().map((verdict) => [verdict.verdictId, verdict.revision])).toEqual([
    ["a", 2],
    ["b", 2],
  ]);
});
