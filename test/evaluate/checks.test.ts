import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { NoReference, Reference } from "../../src/evaluate/checks/check.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import type { JsonValue } from "../../src/model/json.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { evaluationOf, notAsked } from "../support/evaluation-of.ts";
import { queryOf, type QueryText, referenceOf } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

/** The result of one key of a query about a run. */
function resultOf(
  key: string,
  query: QueryText,
  run: RunText,
  reference: Reference | NoReference = notAsked,
): CheckResult {
  const { layers } = evaluationOf(runOf(run), queryOf(query), { reference });
  const results = [...layers.correctness.checks, ...layers.path.checks, ...layers.cost.checks];
  const found = results.find(({ check }) => check === key);
  if (found === undefined) throw new Error(`no result of ${key}`);
  return found;
}

interface Case {
  readonly key: string;
  readonly query: QueryText;
  readonly passes: RunText;
  readonly breaks: RunText;
  /** Value on the breaking run. */
  readonly value: JsonValue;
  /** What the message on the breaking run says. */
  readonly says: string;
  readonly reference?: Reference;
}

/** For every deterministic check a run that passes and one that does not: a line each, and those about conversations. */
const cases: readonly Case[] = [
  ...readFileSync("test/evaluate/checks.jsonl", "utf8").trim().split("\n").map(caseOf),
  {
    key: "min_coherence",
    query: { path: { min_coherence: 1 } },
    passes: { turns: [runOf({ answer: "The door is open." }), runOf({ answer: "It is open, as I said." })] },
    breaks: { turns: [runOf({ answer: "The door is open." }), runOf({ answer: "The door is not open." })] },
    value: 0.8,
    says: "coherence 0.8 over 2 turns, at least 1 required: output_contradiction (turn 2 contradicts turn 1 about door open)",
  },
];

function caseOf(line: string): Case {
  const { reference, ...rest } = JSON.parse(line) as Omit<Case, "reference"> & {
    readonly reference?: Parameters<typeof referenceOf>[0];
  };
  return reference === undefined ? rest : { ...rest, reference: referenceOf(reference) };
}

test("the table below knows every deterministic check", () => {
  const deterministic = checks.filter(({ judged, qualifier }) => judged !== true && qualifier !== true);
  expect(cases.map(({ key }) => key).sort()).toEqual(deterministic.map(({ key }) => key).sort());
});

describe.each(cases)("$key", ({ key, query, passes, breaks, value, says, reference }) => {
  test("passes", () => {
    expect(resultOf(key, query, passes, reference)).toMatchObject({
      outcome: "pass",
      missing: [],
      remedy: null,
    });
  });

  test("is violated, and says what happened", () => {
    const result = resultOf(key, query, breaks, reference);
    const expected = result.layer === "correctness" || key === "forbidden_tools" ? "fail" : "warn";
    expect(result).toMatchObject({ outcome: expected, value });
    expect(result.message).toContain(says);
    expect(result.source).toMatchObject({ file: "spec.yaml" });
  });

  test("keeps the limit as written and never blames the agent for what was not captured", () => {
    const written = Object.values({ ...query.correctness, ...query.path, ...query.cost });
    const blind = runOf({
      answer: null,
      query: null,
      llmCalls: null,
      missing: ["tools", "handoffs", "answer", "usage"].map((what) => ({ what, why: "not recorded" })),
    });
    const { layers } = evaluationOf(blind, queryOf(query), { reference: reference ?? notAsked });
    const result = [layers.correctness, layers.path, layers.cost]
      .flatMap((layer) => layer.checks)
      .find(({ check }) => check === key);
    expect(written).toContainEqual(result?.limit);
    if (key === "max_latency_ms" || key === "min_coherence" || key === "run_status") return;
    expect(result).toMatchObject({ outcome: "incomplete" });
    expect(result?.missing).not.toEqual([]);
    expect(result?.remedy).toBeTruthy();
  });
});

describe("answers", () => {
  test("a pattern that would take exponential time elsewhere answers at once, in regex_match and json_schema", () => {
    const run = { answer: JSON.stringify(`${"a".repeat(20_000)}!`) };
    expect(resultOf("regex_match", { correctness: { regex_match: '^"(a+)+"$' } }, run).outcome).toBe("fail");
    const json_schema = { type: "string", pattern: "^(a+)+$" };
    expect(resultOf("json_schema", { correctness: { json_schema } }, run).outcome).toBe("fail");
  });
});

test.each(["min_tool_recall", "min_tool_precision", "min_tool_f1", "min_sequence_similarity"])(
  "without expected tools, %s falls back on the baseline's tools",
  (key) => {
    const path = { [key]: 1 };
    const reference = referenceOf({ tools: ["a", "b"] });
    expect(resultOf(key, { path }, { tools: ["a", "b"] }, reference).outcome).toBe("pass");
    expect(resultOf(key, { path }, { tools: ["c"] }, reference).outcome).toBe("warn");
  },
);

describe("without a reference", () => {
  const keys = [
    ["match_mode", { path: { match_mode: "contains" } }],
    ["min_sequence_similarity", { path: { min_sequence_similarity: 0.5 } }],
    ["min_tool_recall", { path: { min_tool_recall: 0.5 } }],
    ["max_cost_multiplier", { cost: { max_cost_multiplier: 2 } }],
  ] as const;

  test.each(keys)("%s is incomplete when the baseline asked for has no file", (key, query) => {
    const result = resultOf(key, query, {}, { missing: "no-file", version: "v2" });
    expect(result).toMatchObject({
      outcome: "incomplete",
      missing: ["reference"],
      message: expect.stringContaining("v2") as string,
    });
  });

  test.each([
    ["unknown", null, "incomplete"],
    ["nothing", 0, "skip"],
  ])("a baseline that cost %s gives no multiplier", (_, costUsd, outcome) => {
    const result = resultOf(
      "max_cost_multiplier",
      { cost: { max_cost_multiplier: 2 } },
      { costUsd: 1 },
      referenceOf({ costUsd }),
    );
    expect(result.outcome).toBe(outcome);
  });
});

describe("EvalView's reason codes", () => {
  const codes = (key: string, path: NonNullable<QueryText["path"]>, ...tools: readonly string[]) =>
    (resultOf(key, { path }, { tools }).reasons ?? []).map(({ code, step, expected, actual }) =>
      [code, step, expected, actual].join(" ").trim(),
    );

  test("are not there where a check holds, and few where much is wrong", () => {
    expect(codes("expected_tools", { expected_tools: ["a"] }, "a")).toEqual([]);
    const many = Array.from({ length: 100 }, (_, at) => `tool${at}`);
    expect(codes("expected_tools", { expected_tools: many })).toHaveLength(16);
  });
});

describe("what queries share", () => {
  test("the same limit means what is written beside it in each", () => {
    const path = { expected_tools: ["a", "b"] };
    const run = { tools: ["a"] };

    expect(resultOf("expected_tools", { path }, run).outcome).toBe("warn");
    expect(resultOf("expected_tools", { path: { ...path, min_tool_recall: 0.5 } }, run).outcome).toBe("skip");
    expect(resultOf("expected_tools", { path }, run).outcome).toBe("warn");
  });

  test("a result that is given again is that of its own query, place and limit", () => {
    const query = queryOf({ path: { max_loops: 2 } });
    const other = queryOf({ correctness: { not_in_answer: ["x"] }, path: { max_loops: 2 } });
    const lineOf = (asked: typeof query) =>
      evaluationOf(runOf({}), asked).layers.path.checks[0]?.source?.line;

    expect([lineOf(query), lineOf(other), lineOf(query)]).toEqual([10, 11, 10]);
  });

  test("a run that is not complete does not get what a complete one got before", () => {
    const query = queryOf({ path: { max_loops: 2 } });
    const outcomeOf = (complete: boolean) => evaluationOf(runOf({ complete }), query).layers.path.outcome;

    expect([outcomeOf(true), outcomeOf(false), outcomeOf(true)]).toEqual(["pass", "incomplete", "pass"]);
  });
});
