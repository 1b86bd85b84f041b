import { describe, expect, test } from "vitest";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { defaultCategories } from "../../src/evaluate/checks/path/tools/tool-categories.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { referenceOf } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

/** What one query, its blocks written as YAML in one line, says of a run compared with a baseline of two searches for a cent. */
function evaluated(query: string, run: RunText) {
  const spec = specOf(`agent: "*"\nqueries: [{ query: "*", ${query} }]`);
  const [first] = spec.queries;
  if (first === undefined) throw new Error("no query");
  const reference = referenceOf({ tools: ["search", "search"], costUsd: 0.01 });
  return evaluateQuery(runOf(run), first, { reference, judge: "off" });
}

function resultOf(query: string, run: RunText): CheckResult | undefined {
  const { correctness, path, cost } = evaluated(query, run).layers;
  return [...correctness.checks, ...path.checks, ...cost.checks].find(({ check }) => query.includes(check));
}

const list = (text: string): readonly string[] => text.split(" ").filter((name) => name !== "");

describe("AgentCI metrics reference, layer 1", () => {
  test.each([
    ["expected_in_answer: []", "anything", "pass"],
    ["expected_in_answer: [PIP Install, agentci]", "Use pip install AgentCI.", "pass"],
    ["expected_in_answer: [pip, conda]", "Use pip.", "fail"],
    ["expected_in_answer: ['']", "", "pass"],
    ["expected_in_answer: ['a.b*(c)$']", "see A.B*(C)$ there", "pass"],
    ["expected_in_answer: ['a.b']", "aXb", "fail"],
    ["expected_in_answer: [Straße]", "STRASSE", "fail"],
    ["expected_in_answer: [ΟΔΟΣ]", "οδος", "pass"],
    ["not_in_answer: []", "anything", "pass"],
    ["not_in_answer: [Tokyo, degrees, forecast]", "It is 22 DEGREES.", "fail"],
    ["not_in_answer: [Tokyo, degrees, forecast]", "I cannot help with that.", "pass"],
    ["exact_match: ' 42 '", "42\n", "pass"],
    ["exact_match: Yes", "yes", "fail"],
    ["exact_match: ''", "", "pass"],
    ["exact_match: ''", "x", "fail"],
    [String.raw`regex_match: '\d{3}'`, "code 123!", "pass"],
    ["regex_match: DONE", "done", "fail"],
    ["regex_match: a.b", "a\nb", "fail"],
    ["regex_match: ^b", "a\nb", "fail"],
    ["regex_match: b$", "a b\n", "pass"],
    [String.raw`regex_match: '^\w+$'`, "naïveté", "pass"],
    ["json_schema: { type: object, required: [n] }", '{"n": 1}', "pass"],
    ["json_schema: { type: object, required: [n] }", '{"m": 1}', "fail"],
    ["json_schema: { type: object, required: [n] }", "n = 1", "fail"],
    ["json_schema: { type: number }", "NaN", "fail"],
    ["json_schema: { type: integer }", "1.0", "pass"],
  ])("%s on %j is a %s", (check, answer, outcome) => {
    expect(resultOf(`correctness: { ${check} }`, { answer })?.outcome).toBe(outcome);
  });

  test("a term at the end of a very long answer is found", () => {
    const answer = `${"x".repeat(1_000_000)} the end`;
    expect(resultOf("correctness: { expected_in_answer: [The End] }", { answer })?.outcome).toBe("pass");
  });
});

describe("AgentCI metrics reference: equality passes, everywhere", () => {
  const usage = { input: 10, output: 5 };
  test.each<[string, RunText]>([
    ["path: { max_tool_calls: 0 }", {}],
    ["path: { max_tool_calls: 3 }", { tools: list("a a a") }],
    ["path: { expected_tools: [a, b], min_tool_recall: 0.5 }", { tools: ["a"] }],
    ["path: { expected_tools: [a], min_tool_precision: 0.5 }", { tools: list("a b") }],
    ["path: { expected_tools: [a, b], min_tool_recall: 0, min_tool_f1: 0.5 }", { tools: list("a c") }],
    ["path: { max_loops: 3 }", { tools: list("search search grade grade grade") }],
    [
      "path: { expected_tool_sequence: [search, generate], min_sequence_similarity: 0.8 }",
      { tools: list("search rerank generate") },
    ],
    ["path: { max_handoff_count: 1 }", { handoffs: ["billing"] }],
    ["path: { expected_steps: [a, b], min_progress: 0.5 }", { tools: ["a"] }],
    ["path: { expected_tools: [a], max_strategic_drift: 0.5 }", { tools: list("a z") }],
    ["path: { max_tool_errors: 1 }", { tools: [{ name: "a", error: "no" }] }],
    ["cost: { max_cost_multiplier: 2 }", { costUsd: 0.02 }],
    ["cost: { max_total_tokens: 15 }", { usage }],
    ["cost: { max_llm_calls: 2 }", { llmCalls: 2 }],
    ["cost: { max_latency_ms: 1000 }", { durationMs: 1000 }],
    ["cost: { max_cost_usd: 0.1 }", { costUsd: 0.1 }],
  ])("%s", (query, run) => {
    const { path, cost } = evaluated(query, run).layers;
    const key = /(\w+): [\d.]+ \}$/.exec(query)?.[1];
    expect([...path.checks, ...cost.checks].find(({ check }) => check === key)?.outcome).toBe("pass");
  });
});

describe("AgentCI metrics reference: match modes, against the baseline [search, search]", () => {
  test.each([
    ["strict", "search search", true],
    ["strict", "search", false],
    ["unordered", "search", true],
    ["unordered", "search grade", false],
    ["subset", "grade search", true],
    ["subset", "grade", false],
    ["superset", "", true],
    ["superset", "search grade", false],
  ])("%s of [%s]: %s", (mode, used, holds) => {
    expect(resultOf(`path: { match_mode: ${mode} }`, { tools: list(used) })).toMatchObject({
      value: holds,
      outcome: holds ? "pass" : "warn",
    });
  });
});

describe("EvalView evaluation metrics", () => {
  const score = (path: string, tools: string, weights: string): number | null | undefined =>
    evaluated(`path: { ${path} }, scoring: { weights: { ${weights} } }`, { tools: list(tools) }).metrics.get(
      "score",
    );
  const onlyTools = "tool_accuracy: 1, output_quality: 0, sequence_correctness: 0";
  const onlySequence = "tool_accuracy: 0, output_quality: 0, sequence_correctness: 1";

  test.each([
    ["all expected tools called", "expected_tools: [fetch_data, analyze]", "fetch_data analyze", 100],
    ["some missing: a proportional score", "expected_tools: [fetch_data, analyze]", "analyze", 50],
    ["none called", "expected_tools: [fetch_data, analyze]", "", 0],
    ["extra tools cost nothing", "expected_tools: [fetch_data]", "fetch_data think verify", 100],
    ["nothing expected", "expected_tools: []", "a", 100],
    [
      "tools and categories together",
      "expected_tools: [a, b], expected_tool_categories: [web, git]",
      "a curl",
      50,
    ],
  ])("tool accuracy: %s", (_, path, tools, value) => {
    expect(score(path, tools, onlyTools)).toBe(value);
  });

  test.each([
    ["subsequence", "search analyze", "search think analyze verify", 100],
    ["subsequence", "a b c", "a c b", 200 / 3],
    ["exact", "search analyze", "search think analyze", 50],
    ["exact", "a b", "a b c", 100],
    ["unordered", "search analyze", "analyze search", 100],
    ["unordered", "a a b", "a b", 200 / 3],
  ])("sequence correctness, %s: [%s] in [%s] is %f", (mode, expected, actual, value) => {
    const path = `expected_tool_sequence: [${list(expected).join(", ")}], sequence_mode: ${mode}`;
    expect(score(path, actual, onlySequence)).toBeCloseTo(value, 12);
  });

  test.each([
    ["edit_file", "EditFile"],
    ["EditFile", "edit_file"],
    ["edit_file", "edit-file"],
    ["edit file", "Edit_File"],
  ])("forbidden %s catches %s, three calls count once, and the run fails", (forbidden, called) => {
    const query = `path: { forbidden_tools: ["${forbidden}"] }, severity: { forbidden_tools: warn }`;
    const { hardFail, layers } = evaluated(query, { tools: [called, called, called] });
    expect(layers.path.checks).toMatchObject([{ outcome: "fail", value: [called] }]);
    expect(hardFail).toBe(true);
  });

  test("eight default categories; bash is in all but web", () => {
    expect([...defaultCategories.keys()]).toEqual(
      list("file_read file_write file_list search shell web git python"),
    );
    expect([...defaultCategories.values()].filter((tools) => tools.includes("bash"))).toHaveLength(7);
  });

  const members = [...defaultCategories].flatMap(([category, tools]) =>
    tools.map((tool) => [category, tool]),
  );
  test.each(members)("%s is satisfied by %s alone", (category, tool) => {
    const query = `path: { expected_tool_categories: [${category}] }`;
    expect(resultOf(query, { tools: [tool ?? ""] })).toMatchObject({ outcome: "pass", value: 1 });
  });

  test.each([
    ["0.3, output_quality: 0.5, sequence_correctness: 0.2", true],
    ["0.3335, output_quality: 0.3335, sequence_correctness: 0.3335", true],
    ["0.3, output_quality: 0.5, sequence_correctness: 0.3", false],
  ])("weights add up to 1, give or take 0.001: %s is %s", (weights, valid) => {
    const weighing = `agent: "*"\nqueries: [{ query: "*", scoring: { weights: { tool_accuracy: ${weights} } } }]`;
    const { ok, problems } = loadSpec({ file: "spec.yaml", text: weighing }, { checks });
    expect({ ok, said: problems.some(({ message }) => message.includes("add up to 1")) }).toEqual({
      ok: valid,
      said: !valid,
    });
  });
});

describe("ProjectScylla metrics formulas: tokens and changes", () => {
  const metric = (name: string, attributes: Readonly<Record<string, number>>) =>
    evaluated("path: {}", { attributes }).metrics.get(name);

  test.each([
    ["skill_efficiency", 100, 0, 1],
    ["skill_efficiency", 20, 80, 0.2],
    ["skill_efficiency", 0, 0, 0],
    ["token_efficiency", 10, 100, 10],
    ["token_efficiency", 0, 100, null],
    ["schema_overhead", 0, 50_000, 50_000],
  ])("%s of %i skill and %i schema tokens is %s", (name, skill, schema, value) => {
    const attributes = { "tracejury.tokens.skill_prompt": skill, "tracejury.tokens.tool_schema": schema };
    expect(metric(name, attributes)).toBe(value);
  });

  test.each([
    ["cfp", 10, 1, 0.1],
    ["cfp", 10, 0, 0],
    ["cfp", 0, 0, 0],
    ["pr_revert_rate", 4, 1, 0.25],
  ])("%s of %i changes, %i of them, is %s", (name, total, part, value) => {
    const of = name === "cfp" ? "failed" : "reverted";
    expect(metric(name, { "tracejury.changes.total": total, [`tracejury.changes.${of}`]: part })).toBe(value);
  });
});
