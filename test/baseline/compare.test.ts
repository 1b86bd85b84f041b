import { describe, expect, test } from "vitest";
import { argumentChanges } from "../../src/report/baseline/differences/structure-differences.ts";
import { compareSides, nearest } from "../../src/report/baseline/compare.ts";
import { differenceTypes } from "../../src/report/baseline/differences/difference.ts";
import { judgedByVerdict, type Side } from "../../src/report/baseline/side.ts";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { tiersOf } from "../../src/report/baseline/differences/tiers.ts";
import type { CompiledQuery } from "../../src/evaluate/query/compiled.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

function side(text: RunText, query?: CompiledQuery): Side {
  const run = runOf(text);
  if (query === undefined) return { version: "v", run, judged: null };
  const reference = { missing: "not-asked", version: null } as const;
  return {
    version: "v",
    run,
    judged: judgedByVerdict(evaluateQuery(run, query, { reference, judge: "off" })),
  };
}

type Row = readonly [type: string, severity: string, before: RunText, after: RunText];
const stop = (finishReason: string): RunText => ({ llm: [{ finishReason }] });

const rows: readonly Row[] = [
  ["ROUTING_CHANGED", "error", { handoffs: ["billing"] }, { handoffs: ["technical"] }],
  [
    "GUARDRAILS_CHANGED",
    "error",
    { guardrails: [{ spanId: null, name: "pii", triggered: false }] },
    { guardrails: [{ spanId: null, name: "pii", triggered: true }] },
  ],
  ["AVAILABLE_HANDOFFS_CHANGED", "warn", { handoffsAvailable: ["a", "b"] }, { handoffsAvailable: ["a"] }],
  [
    "RETRIEVAL_CHANGED",
    "warn",
    { retrievals: [{ spanId: null, query: "q", documents: [{ id: "doc-1", content: null, score: null }] }] },
    { retrievals: [{ spanId: null, query: "q", documents: [{ id: "doc-2", content: null, score: null }] }] },
  ],
  ["TOOLS_CHANGED", "error", { tools: ["search"] }, { tools: ["browse"] }],
  ["SEQUENCE_CHANGED", "warn", { tools: ["a", "b"] }, { tools: ["b", "a"] }],
  [
    "ARGS_CHANGED",
    "warn",
    { tools: [{ name: "pay", arguments: { amount: 5 } }] },
    { tools: [{ name: "pay", arguments: { amount: 6 } }] },
  ],
  ["OUTPUT_CHANGED", "warn", { answer: "It is on its way." }, { answer: "I cannot help with that." }],
  ["STOP_REASON_CHANGED", "error", stop("stop"), stop("length")],
  ["STEPS_CHANGED", "warn", { llm: [{}, {}] }, { llm: [{}, {}, {}, {}] }],
  ["COST_SPIKE", "warn", { costUsd: 1 }, { costUsd: 1.6 }],
  ["COST_SPIKE", "error", { costUsd: 1 }, { costUsd: 2.1 }],
  ["COST_CHANGED", "info", { costUsd: 1 }, { costUsd: 1.5 }],
  ["LATENCY_SPIKE", "warn", { durationMs: 1000 }, { durationMs: 2001 }],
  ["MODEL_CHANGED", "info", { models: ["gpt-5"] }, { models: ["gpt-5-mini"] }],
  ["DIALECT_CHANGED", "info", { dialects: ["openinference"] }, { dialects: ["openllmetry"] }],
];

describe("each kind of difference has its name and weight", () => {
  test.each(rows)("%s, %s", (type, severity, before, after) => {
    const { differences } = compareSides(side(before), side(after));

    expect(differences.map((one) => [one.type, one.severity])).toEqual([[type, severity]]);
    expect(compareSides(side(before), side(before)).differences).toEqual([]);
  });

  test("all kinds are shown above or below", () => {
    const judged = ["REGRESSION", "WARNING_ADDED"];
    expect(new Set([...rows.map(([type]) => type), ...judged])).toEqual(new Set(differenceTypes));
  });

  test("a check that warns now is a difference, and one that warned or failed before is none", () => {
    const spec = queryOf({ cost: { max_latency_ms: 1_000 } });
    const [quick, slow, slower] = [900, 1_100, 1_200].map((durationMs) => side({ durationMs }, spec));
    if (quick === undefined || slow === undefined || slower === undefined) throw new Error("no sides");
    const typesOf = (before: Side, after: Side) =>
      compareSides(before, after).differences.map(({ type, severity }) => [type, severity]);

    expect(typesOf(quick, slow)).toEqual([["WARNING_ADDED", "warn"]]);
    expect(compareSides(quick, slow).regressed).toBe(false);
    expect(typesOf(slow, slower)).toEqual([]);
    expect(typesOf(slow, quick)).toEqual([]);
  });
});

describe("regression", () => {
  const query = queryOf({ correctness: { expected_in_answer: ["way"] }, path: { max_tool_calls: 3 } });

  test("is not what mends a run, however much it changes", () => {
    const broken = side({ answer: "No.", tools: ["search"] }, query);
    const mended = side({ tools: [] }, query);
    expect(compareSides(broken, mended)).toMatchObject({ regressed: false });
    expect(compareSides(mended, broken)).toMatchObject({ regressed: true });
  });

  test.each([
    ["warn", "pass", [], ["a", "a", "a", "a", "a", "a"], { max_tool_calls: 9, expected_tools: ["a"] }],
    ["warn", "pass", ["a", "b", "c"], [], { max_tool_calls: 0 }],
    [
      "fail",
      "warn",
      ["drop"],
      ["a", "a", "a", "a", "a", "a", "a"],
      { forbidden_tools: ["drop"], max_tool_calls: 2 },
    ],
    ["fail", "pass", ["drop"], ["a", "a", "a", "a", "a", "a"], { forbidden_tools: ["drop"] }],
  ] as const)("is none from %s to %s, whatever the number of calls", (from, to, old, now, path) => {
    const judged = queryOf({ path });
    const [before, after] = [side({ tools: old }, judged), side({ tools: now }, judged)];
    expect([before.judged?.outcome, after.judged?.outcome]).toEqual([from, to]);
    const found = compareSides(before, after);
    expect(found).toMatchObject({ regressed: false, improved: true });
    expect(found.differences.map(({ type }) => type)).not.toContain("REGRESSION");
    expect(compareSides(after, before)).toMatchObject({ improved: false });
  });

  test("is no improvement either where the newer run could not be judged", () => {
    const unknown = side({ answer: null, missing: [{ what: "answer", why: "not captured" }] }, query);
    expect(compareSides(side({ answer: "No." }, query), unknown)).toMatchObject({ improved: false });
  });

  test.each([
    [100, 149, "same"],
    [100, 151, "up"],
    [10_000, 10_900, "same"],
    [10_000, 11_100, "up"],
    [10_000, 8900, "down"],
  ] as const)("a duration of %d ms and then %d is marked %s", (before, after, direction) => {
    const tiers = tiersOf(side({ durationMs: before }), side({ durationMs: after }), undefined);
    expect(tiers.cost.latency_ms).toMatchObject({ before, after, direction });
  });

  test("is not claimed of a run that could not be judged", () => {
    const unknown = side({ answer: null, missing: [{ what: "answer", why: "not captured" }] }, query);
    expect(compareSides(side({}, query), unknown)).toMatchObject({ regressed: false, undecided: true });
  });
});

test("what is unknown on one side is no difference", () => {
  const known = side({
    tools: ["a"],
    costUsd: 1,
    handoffsAvailable: ["x"],
    llm: [{ finishReason: "stop" }],
    models: ["m"],
  });
  const unknown = side({
    tools: [],
    missing: [{ what: "tools", why: "not recorded" }],
    answer: null,
    dialects: [],
  });
  const found = compareSides(known, unknown);
  expect(found.differences).toEqual([]);
  expect(found).toMatchObject({ regressed: false, undecided: true, lost: ["tools"] });
  expect(compareSides(unknown, known)).toMatchObject({ undecided: false, lost: [] });
  const guarded = (triggered: boolean | null) =>
    side({ guardrails: [{ spanId: null, name: "pii", triggered }] });
  expect(compareSides(guarded(true), guarded(null))).toMatchObject({ differences: [], lost: ["guardrails"] });
  const document = { id: "a", content: null, score: null };
  const retrieved = side({ retrievals: [{ spanId: null, query: "q", documents: [document] }] });
  const partly = side({ retrievals: [{ spanId: null, query: "q", documents: [], isPartial: true }] });
  expect(compareSides(retrieved, partly).differences).toEqual([]);
  const unended = side({ durationMs: 9000, missing: [{ what: "duration", why: "no end" }] });
  expect(compareSides(side({ durationMs: 1000 }), unended).differences).toEqual([]);
});

test("arguments are compared name by name", () => {
  expect(argumentChanges({ a: 1, b: "x", c: [1] }, { b: "y", c: { d: 1 }, e: null })).toMatchObject([
    { argument: "a", kind: "missing" },
    { argument: "b", kind: "value changed", similarity: 0 },
    { argument: "c", kind: "type changed" },
    { argument: "e", kind: "added" },
  ]);
  expect(argumentChanges({ a: 1.0, b: 2 }, { b: 2, a: 1 })).toEqual([]);
});

test("of accepted variants the one that fits best is compared with", () => {
  const variants = [side({ tools: ["a"] }), side({ tools: ["b"] }), side({ tools: ["b", "c"] })];
  expect(nearest(variants, side({ tools: ["b"] }))).toMatchObject({
    saved: { run: { tools: [{ name: "b" }] } },
    comparison: { differences: [] },
  });
});
