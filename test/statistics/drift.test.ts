import { expect, test } from "vitest";
import { type DriftRun, driftOf } from "../../src/report/statistics/drift/drift.ts";

function runs(count: number, made: (at: number) => Partial<DriftRun>, prefix = "run"): DriftRun[] {
  return Array.from({ length: count }, (_, at) => ({
    runId: `${prefix}-${String(at).padStart(3, "0")}`,
    tools: ["search", "book"],
    handoffs: [],
    answerLength: 100 + (at % 10),
    isRefusal: false,
    error: null,
    totalTokens: 500,
    durationMs: 1000 + (at % 50),
    ...made(at),
  }));
}

test("the same behaviour is no drift, however the runs are split", () => {
  const { measures, patterns, rarelySeen } = driftOf(
    runs(80, () => ({})),
    runs(60, () => ({})),
  );
  expect(patterns).toEqual([]);
  expect(rarelySeen).toBe(0);
  expect(measures.filter(({ p }) => p !== null && p <= 0.01)).toEqual([]);
});

test("new sequences, hand-offs and errors come with three runs each; numbers in errors and repeats of a call do not count", () => {
  const after = runs(
    60,
    (at) =>
      at < 20
        ? { tools: ["search", "search", "cancel"], handoffs: ["planner → billing"] }
        : at < 40
          ? { error: `timeout after ${at} s`, answerLength: null, isRefusal: null }
          : {},
    "new",
  );
  const { patterns, measures } = driftOf(
    runs(80, () => ({})),
    after,
  );
  const found = patterns.map(({ kind, name, runsBefore, runsAfter }) => [kind, name, runsBefore, runsAfter]);
  expect(found).toContainEqual(["tool_sequence", "search → cancel", 0, 20]);
  expect(found).toContainEqual(["tool", "cancel", 0, 20]);
  expect(found).toContainEqual(["handoff", "planner → billing", 0, 20]);
  expect(found).toContainEqual(["error", "timeout after # s", 0, 20]);
  expect(patterns.find(({ name }) => name === "search → cancel")?.exampleRunIds).toEqual([
    "new-000",
    "new-001",
    "new-002",
  ]);
  expect(measures.find(({ measure }) => measure === "errors")).toMatchObject({ before: 0, after: 1 / 3 });
});

test("what was seen once is counted, not listed; what no run shows is null, not zero", () => {
  const after = runs(60, (at) => ({
    ...(at === 0 ? { tools: ["rm"] } : {}),
    answerLength: null,
    isRefusal: null,
  }));
  const { patterns, rarelySeen, measures } = driftOf(
    runs(80, () => ({})),
    after,
  );
  expect(patterns).toEqual([]);
  expect(rarelySeen).toBe(1);
  expect(measures.find(({ measure }) => measure === "answer_length")).toMatchObject({ after: null, p: null });
  expect(measures.find(({ measure }) => measure === "refusals")).toMatchObject({ after: null, p: null });
});
