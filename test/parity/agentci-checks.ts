import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import { twoCalls } from "./agent-dump.ts";
import { correctnessOf, matches, type Section } from "./harness.ts";
import { argv } from "../support/run-cli.ts";

const good = () => completion({ score: 5, label: "pass", rationale: "It does." });
const bad = () => completion({ score: 1, label: "fail", rationale: "It does not." });

export const correctness: Section = {
  "`expected_in_answer`, `any_expected_in_answer`, `not_in_answer`": async (bench) => {
    const { checks } = await bench.test(
      "correctness: { expected_in_answer: [ORDER, tracking], any_expected_in_answer: [soon, way], not_in_answer: [sorry] }",
      { answer: "Your order is on its way. Sorry!" },
    );
    matches(checks, {
      expected_in_answer: { outcome: "fail", message: expect.stringContaining("tracking") },
      any_expected_in_answer: { outcome: "pass" },
      not_in_answer: { outcome: "fail", message: expect.stringContaining("sorry") },
    });
  },
  "`exact_match`": async (bench) => {
    expect(
      await bench.outcomes("correctness: { exact_match: ' 42 ' }", "exact_match", [
        { answer: "42\n" },
        { answer: "43" },
      ]),
    ).toEqual(["pass", "fail"]);
  },
  "`regex_match`": async (bench) => {
    expect(
      await bench.outcomes(String.raw`correctness: { regex_match: 'order \d{3}' }`, "regex_match", [
        { answer: "It is order 123!" },
        { answer: "It is ORDER 123!" },
      ]),
    ).toEqual(["pass", "fail"]);
    matches(await bench.validate("correctness: { regex_match: 'a(?=b)' }"), { code: 1 });
  },
  "`json_schema`": async (bench) => {
    expect(
      await bench.outcomes("correctness: { json_schema: { type: object, required: [n] } }", "json_schema", [
        { answer: '{"n": 1}' },
        { answer: '{"m": 1}' },
        { answer: "n = 1" },
      ]),
    ).toEqual(["pass", "fail", "fail"]);
  },
  "the answer is an empty text": async (bench) => {
    expect(
      await bench.outcomes("correctness: { expected_in_answer: [way] }", "expected_in_answer", [
        { answer: "", calls: [] },
        { answer: null },
      ]),
    ).toEqual(["fail", "incomplete"]);
  },
  "an empty list passes; one message for each missing term": async (bench) => {
    const { checks } = await bench.test(
      "correctness: { expected_in_answer: [pip, conda, uv], not_in_answer: [] }",
      { answer: "Use pip." },
    );
    matches(checks, {
      expected_in_answer: { message: expect.stringMatching(/conda.*uv/) },
      not_in_answer: { outcome: "pass" },
    });
  },
  'an empty `exact_match` means "not set"': async (bench) => {
    expect(
      await bench.outcomes("correctness: { exact_match: '' }", "exact_match", [
        { answer: "", calls: [] },
        { answer: "x" },
      ]),
    ).toEqual(["pass", "fail"]);
  },
  "`llm_judge[]`: every rubric is evaluated": async (bench) => {
    const server = await bench.judge(bad);
    const { verdict } = await bench.test(
      "correctness: { llm_judge: [{ rule: Is polite. }, { rule: Is short. }] }",
      {},
    );
    expect(server.received).toHaveLength(2);
    matches(correctnessOf(verdict), [{ outcome: "fail" }, { outcome: "fail" }]);
  },
  "`safety_check`, `hallucination_check`": async (bench) => {
    await bench.judge(good);
    const { checks } = await bench.test("correctness: { safety_check: true, hallucination_check: true }", {});
    matches(checks, { safety_check: { outcome: "pass" }, hallucination_check: { outcome: "pass" } });
  },
  "`refutes_premise`": async (bench) => {
    await bench.judge(good);
    const { checks } = await bench.test("correctness: { refutes_premise: true, expected_in_answer: [way] }", {
      answer: "There is no such order.",
    });
    matches(checks, { expected_in_answer: { outcome: "skip" }, refutes_premise: { outcome: "pass" } });
  },
  "`context_file` of a rubric": async (bench) => {
    const server = await bench.judge(good);
    bench.file("facts.md", "Orders ship on Mondays.");
    await bench.test("correctness: { llm_judge: [{ rule: Is true., context_file: facts.md }] }", {});
    expect(JSON.stringify(server.received[0]?.body)).toContain("Orders ship on Mondays.");
  },
  "order: deterministic, rubrics, safety, hallucination": async (bench) => {
    const server = await bench.judge(good);
    const blocks =
      "correctness: { not_in_answer: [way], llm_judge: [{ rule: Is polite. }], safety_check: true }";
    const { checks } = await bench.test(blocks, { answer: "On its way." });
    expect(server.received).toHaveLength(0);
    matches(checks, {
      not_in_answer: { outcome: "fail" },
      llm_judge: { outcome: "skip", message: expect.stringContaining("not_in_answer") },
      safety_check: { outcome: "skip" },
    });
  },
  "rubric: `rule`, `scale`, `threshold` 0.5, `few_shot_examples`": async (bench) => {
    const server = await bench.judge(() => completion({ score: 3, label: "pass", rationale: "So so." }));
    const scale = "['1: awful', '3: fair', '5: great']";
    const examples = "[{ input: Hi, output: Hello., score: 5 }]";
    const { checks } = await bench.test(
      `correctness: { llm_judge: [{ rule: Is polite., scale: ${scale}, few_shot_examples: ${examples} }] }`,
      {},
    );
    expect(JSON.stringify(server.received[0]?.body)).toMatch(/awful.*great/);
    matches(checks["llm_judge"], { outcome: "pass", limit: 3 });
  },
};

export const path: Section = {
  "`max_tool_calls`": async (bench) => {
    expect(
      await bench.outcomes("path: { max_tool_calls: 1 }", "max_tool_calls", [
        { tools: ["search"] },
        { tools: ["search", "search"] },
      ]),
    ).toEqual(["pass", "warn"]);
  },
  "recall, precision and F1 over the sets of tool names": async (bench) => {
    const { metrics } = await bench.test(
      "path: { expected_tools: [a, b], min_tool_recall: 0.5, min_tool_precision: 0.3, min_tool_f1: 0.4 }",
      { tools: ["a", "a", "c", "d"] },
    );
    matches(metrics, {
      tool_recall: 0.5,
      tool_precision: expect.closeTo(1 / 3, 12),
      tool_f1: expect.closeTo(0.4, 12),
    });
  },
  "`expected_tools: []` allows no tool; `expected_tools` alone requires recall 1.0": async (bench) => {
    const none = await bench.outcomes("path: { expected_tools: [] }", "expected_tools", [
      {},
      { tools: ["a"] },
    ]);
    const all = await bench.outcomes("path: { expected_tools: [a, b] }", "expected_tools", [
      { tools: ["b", "a"] },
      { tools: ["a"] },
    ]);
    expect([none, all]).toEqual([
      ["pass", "warn"],
      ["pass", "warn"],
    ]);
  },
  "`forbidden_tools` fails the layer": async (bench) => {
    const { code, verdict, checks } = await bench.test(
      "path: { forbidden_tools: [edit_file] }\nseverity: { forbidden_tools: warn }",
      { tools: ["EditFile"] },
    );
    matches(checks["forbidden_tools"], { outcome: "fail", value: ["EditFile"] });
    expect({ code, hard: verdict.hard_fail }).toEqual({ code: 1, hard: true });
  },
  "`max_loops` counts adjacent calls of the same tool": async (bench) => {
    const { metrics, checks } = await bench.test("path: { max_loops: 2 }", {
      tools: ["search", "search", "grade", "grade", "grade"],
    });
    matches(metrics, { loops: 3, cycle_repeats: 0 });
    expect(checks["max_loops"]?.outcome).toBe("warn");
    expect(await bench.outcomes("path: { max_loops: 0 }", "max_loops", [{ tools: ["a", "b"] }])).toEqual([
      "pass",
    ]);
  },
  "`match_mode` strict, unordered, subset, superset": async (bench) => {
    const outcome = async (mode: string) =>
      (
        await bench.outcomes(`path: { expected_tool_sequence: [a, b], match_mode: ${mode} }`, "match_mode", [
          { tools: ["a", "b"] },
          { tools: ["b", "a"] },
          { tools: ["a", "b", "c"] },
          { tools: ["a"] },
        ])
      ).map((one) => one === "pass");
    expect(await outcome("strict")).toEqual([true, false, false, false]);
    expect(await outcome("unordered")).toEqual([true, true, false, false]);
    expect(await outcome("subset")).toEqual([true, true, true, false]);
    expect(await outcome("superset")).toEqual([true, true, false, true]);
  },
  "`min_sequence_similarity`, LCS": async (bench) => {
    const { metrics, checks } = await bench.test(
      "path: { expected_tool_sequence: [search, generate], min_sequence_similarity: 0.8 }",
      { tools: ["search", "rerank", "generate"] },
    );
    expect(metrics["sequence_similarity"]).toBeCloseTo(0.8, 12);
    expect(checks["min_sequence_similarity"]?.outcome).toBe("pass");
  },
  "edit similarity": async (bench) => {
    const { metrics } = await bench.test(
      "path: { expected_tool_sequence: [a, b, c], min_sequence_similarity: 0.9, sequence_metric: edit }",
      { tools: ["a", "c"] },
    );
    expect(metrics["edit_similarity"]).toBeCloseTo(2 / 3, 12);
  },
  "`expected_handoff`, `expected_handoffs_available`, `max_handoff_count`": async (bench) => {
    const { checks, metrics } = await bench.test(
      "path: { expected_handoff: Billing_Agent, expected_handoffs_available: [billing-agent], max_handoff_count: 0 }",
      { handoffs: ["billing_agent"], handoffsAvailable: ["billing_agent"] },
    );
    expect(metrics["handoffs"]).toBe(1);
    matches(checks, { expected_handoff: { outcome: "pass" }, max_handoff_count: { outcome: "warn" } });
    expect(checks["expected_handoffs_available"]?.outcome).toBe("pass");
  },
  "without a baseline, similarity and mode are not evaluated": async (bench) => {
    const blocks = "path: { min_sequence_similarity: 0.8, match_mode: strict }";
    matches((await bench.test(blocks, {})).checks, {
      min_sequence_similarity: { outcome: "skip" },
      match_mode: { outcome: "skip" },
    });
    const asked = await bench.test(blocks, {}, "--baseline", "v1", "--baseline-dir", bench.folder);
    matches(asked.checks, { match_mode: { outcome: "incomplete" } });
  },
  "`expected_tool_sequence`": async (bench) => {
    const run = { tools: ["a", "x", "b"] };
    expect(
      await bench.outcomes("path: { expected_tool_sequence: [a, b] }", "expected_tool_sequence", [run]),
    ).toEqual(["warn"]);
    const uncorrelated = "path: { expected_tool_sequence: [a, b], sequence_mode: contains-in-order }";
    expect(await bench.outcomes(uncorrelated, "expected_tool_sequence", [run])).toEqual(["pass"]);
  },
  "`max_loops` default 3, `match_mode` default subset": async (bench) => {
    const text = (preset: string) =>
      `version: 1\nagent: "*"\n${preset}queries:\n  - { query: "*", id: any, path: { max_tool_calls: 9 } }\n`;
    const run = { tools: ["a", "a", "a", "a", "a"] };
    expect((await bench.test(text("preset: agentci\n"), run)).checks["max_loops"]?.outcome).toBe("warn");
    expect((await bench.test(text(""), run)).checks["max_loops"]).toBeUndefined();
  },
  "values in details are rounded to three decimals": async (bench) => {
    const { metrics } = await bench.test("path: { expected_tools: [a, b, c], min_tool_recall: 0.6 }", {
      tools: ["a", "b"],
    });
    expect(metrics["tool_recall"]).toBe(2 / 3);
  },
  "without used tools, precision is 1.0 if none is expected, else 0.0; F1 is 0.0 if recall and precision are 0.0":
    async (bench) => {
      const of = async (expected: string, tools: readonly string[]) =>
        (await bench.test(`path: { expected_tools: ${expected} }`, { tools })).metrics;
      matches(await of("[]", []), { tool_precision: 1 });
      matches(await of("[]", ["a"]), { tool_precision: 0 });
      matches(await of("[a]", ["b"]), { tool_precision: 0, tool_recall: 0, tool_f1: 0 });
    },
  "a value equal to its limit passes": async (bench) => {
    const { checks } = await bench.test(
      `path: { max_tool_calls: 2, max_loops: 1, expected_tools: [a, b], min_tool_recall: 0.5, min_tool_precision: 1, max_tool_errors: 0 }
cost: { max_total_tokens: 240, max_llm_calls: 2, max_latency_ms: 1000 }`,
      { tools: ["a", "a"], calls: twoCalls },
    );
    expect(Object.values(checks).map(({ check, outcome }) => [check, outcome])).toEqual(
      expect.arrayContaining(
        [
          "max_tool_calls",
          "min_tool_recall",
          "min_tool_precision",
          "max_total_tokens",
          "max_llm_calls",
          "max_latency_ms",
        ].map((key) => [key, "pass"]),
      ),
    );
  },
  "`expected_handoffs_available`: every target was available": async (bench) => {
    const { checks } = await bench.test("path: { expected_handoffs_available: [billing] }", {});
    matches(checks["expected_handoffs_available"], { outcome: "incomplete" });
  },
  "`min_tool_recall` and `min_tool_precision` outside 0–1 and `max_tool_calls` below 0 are invalid": async (
    bench,
  ) => {
    const { code, stdout, stderr } = await bench.validate(
      "path: { expected_tools: [a], min_tool_recall: 1.5, min_tool_precision: -0.1, max_tool_calls: -1 }",
    );
    expect(code).toBe(1);
    for (const key of ["min_tool_recall", "min_tool_precision", "max_tool_calls"]) {
      expect(stdout + stderr).toContain(key);
    }
  },
};

export const cost: Section = {
  "`max_cost_multiplier`, skipped without a baseline or at cost 0": async (bench) => {
    const blocks = "cost: { max_cost_multiplier: 1.5 }";
    matches((await bench.test(blocks, {})).checks["max_cost_multiplier"], { outcome: "skip" });
    const saved = ["--baseline-dir", bench.path("baselines")];
    const spec = bench.path("spec.yaml");
    const save = argv`save ${bench.path("dump.jsonl")} --spec ${spec} --version v1 ${saved} --judge off`;
    matches(await bench.run(...save), { code: 0 });
    const dearer = { calls: [{ input: 200, output: 40 }] };
    const { checks, metrics } = await bench.test(blocks, dearer, "--baseline", "v1", ...saved);
    expect(metrics["cost_multiplier"]).toBeCloseTo(2, 9);
    expect(checks["max_cost_multiplier"]?.outcome).toBe("warn");
  },
  "`max_total_tokens`, `max_llm_calls`, `max_latency_ms`, `max_cost_usd`; a value equal to the limit passes":
    async (bench) => {
      const { checks } = await bench.test(
        "cost: { max_total_tokens: 119, max_llm_calls: 1, max_latency_ms: 999, max_cost_usd: 0.000001 }",
        {},
      );
      matches(checks, {
        max_total_tokens: { outcome: "warn", value: 120 },
        max_llm_calls: { outcome: "pass", value: 1 },
        max_latency_ms: { outcome: "warn", value: 1000 },
        max_cost_usd: { outcome: "warn" },
      });
    },
  "token and latency ratios": async (bench) => {
    const { metrics } = await bench.test("cost: { max_total_tokens: 40, max_latency_ms: 250 }", {});
    matches(metrics, { token_ratio: 3, latency_ratio: 4 });
  },
  "cost rounded to 6 decimals, multiplier to 2": async (bench) => {
    // 7 and 3 tokens of gpt-4o-mini: 7 × 0.15 + 3 × 0.6 dollars a million.
    const { metrics } = await bench.test("cost: { max_cost_usd: 1 }", { calls: [{ input: 7, output: 3 }] });
    expect(metrics["cost_usd"]).toBeCloseTo(2.85e-6, 15);
  },
};
