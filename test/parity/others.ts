import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import { matches, type Section, specOf } from "./harness.ts";
import { argv } from "../support/run-cli.ts";

/** The proofs of several sections that need more than one command or more than a table can say. */

export const cost: Section = {
  "`max_cost_multiplier`, skipped without a baseline or at cost 0": async (bench) => {
    const blocks = "cost: { max_cost_multiplier: 1.5 }";
    matches((await bench.test(blocks, {})).checks["max_cost_multiplier"], { outcome: "skip" });
    const saved = ["--baseline-dir", bench.path("baselines")];
    const spec = bench.path("spec.yaml");
    const save = argv`save ${bench.path("dump.jsonl")} --spec ${spec} --version v1 ${saved} --judge off`;
    matches(await bench.run(...save), { code: 0 });
    const dearer = { calls: [{ input: 200, output: 40 }] };
    matches(await bench.test(blocks, dearer, "--baseline", "v1", ...saved), {
      metrics: { cost_multiplier: expect.closeTo(2, 9) },
      checks: { max_cost_multiplier: { outcome: "warn" } },
    });
  },
};

export const engine: Section = {
  "an invalid spec is rejected": async (bench) => {
    const { code, stdout, stderr } = await bench.validate("path: { max_tool_call: 1, max_loops: many }");
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/max_tool_calls[\s\S]*max_loops|max_loops[\s\S]*max_tool_calls/);
    matches(await bench.run("test", bench.dump({}), "--spec", bench.path("spec.yaml")), { code: 2 });
  },
  "announced feature: specs can include files": async (bench) => {
    bench.file("path.yaml", "max_tool_calls: 0\n");
    const { checks } = await bench.test("path: !include path.yaml", { tools: ["a"] });
    matches(checks["max_tool_calls"], { outcome: "warn", limit: 0 });
  },
  "a JSON Schema for editors, generated from the data models": async (bench) => {
    const { stdout } = await bench.run("schema", "spec");
    matches(JSON.parse(stdout), { $schema: expect.stringContaining("json-schema.org") });
    expect(stdout).toContain("max_tool_calls");
  },
  "`--workers` 4": async (bench) => {
    const runs = Array.from({ length: 8 }, (_, at) => ({ tools: at % 2 === 0 ? ["a"] : [] }));
    const one = await bench.test("path: { max_tool_calls: 0 }", runs, "--workers", "1");
    const four = await bench.test("path: { max_tool_calls: 0 }", runs, "--workers", "4");
    expect(four.result.summary).toEqual(one.result.summary);
  },
};

export const ragas: Section = {
  "judge models that fail do not count": async (bench) => {
    await bench.judge(({ body }) =>
      body.model === "b"
        ? { status: 400, body: { error: { message: "no" } } }
        : completion({ achieved: body.model === "a", rationale: "r" }),
    );
    const { checks } = await bench.test(
      `version: 1
agent: "*"
judge_config: { ensemble: { enabled: true, models: [openai/a, openai/b, openai/c] } }
queries: [{ query: "*", id: any, correctness: { goal_accuracy: the order is found } }]
`,
      {},
    );
    matches(checks["goal_accuracy"], { value: 0.5, outcome: "pass" });
  },
};

export const contradictions: Section = {
  "AgentCI 7: keys that are never evaluated": async (bench) => {
    const { verdict } = await bench.test(
      `correctness: { expected_in_answer: [a], any_expected_in_answer: [a], not_in_answer: [a], exact_match: a, regex_match: a, json_schema: {} }
path: { max_tool_calls: 1, expected_tools: [a], forbidden_tools: [b], max_loops: 1, match_mode: subset, min_tool_recall: 1, min_tool_precision: 1, min_sequence_similarity: 1, expected_handoff: a, expected_handoffs_available: [a], max_handoff_count: 1 }
cost: { max_cost_multiplier: 1, max_total_tokens: 1, max_llm_calls: 1, max_latency_ms: 1, max_cost_usd: 1 }`,
      {},
    );
    const { correctness, path, cost: costs } = verdict.layers;
    const written = [...correctness.checks, ...path.checks, ...costs.checks];
    expect(written.length).toBeGreaterThanOrEqual(22);
    expect(written.map(({ outcome }) => outcome)).not.toContain("error");
  },
  "AgentCI 12: metric labels that become equal when truncated": async (bench) => {
    const run = { query: 'Say "hi"?' };
    const { stdout } = await bench.print("path: { max_tool_calls: 9 }", run, "--format", "prometheus");
    expect(stdout).toMatch(/^[a-z_]+\{[^\n]*\} [\d.]+$/m);
  },
  "AgentCI 13: file and command names": async (bench) => {
    const file = bench.file("any name.yml", specOf("path: { max_loops: 1 }"));
    matches(await bench.run("validate", file), { code: 0 });
  },
  "EvalView 3, 4: names of keys": async (bench) => {
    const file = bench.file(
      "case.yaml",
      `name: order
input: { query: Where is my order? }
expected: { tools: [search], output: { contains: [way] } }
thresholds: { min_score: 80 }
`,
    );
    matches(await bench.run("init", "--from-evalview", file, "--dir", bench.folder), { code: 0 });
  },
};

export const shared: Section = {
  "reference: spec, else baseline, else skipped": async (bench) => {
    const folder = ["--baseline-dir", bench.path("baselines"), "--judge", "off"];
    const before = bench.dump({ tools: ["a", "b"] }, "before.jsonl");
    const spec = bench.file("saved.yaml", specOf("path: {}"));
    await bench.run("save", before, "--spec", spec, "--version", "v1", ...folder);
    const of = async (blocks: string, ...words: readonly string[]) =>
      (await bench.test(blocks, { tools: ["b", "a"] }, ...folder, ...words)).checks["match_mode"]?.outcome;
    const own = "path: { match_mode: same-order, expected_tool_sequence: [b, a] }";
    expect([
      await of("path: { match_mode: same-order }"),
      await of("path: { match_mode: same-order }", "--baseline", "v1"),
      await of(own, "--baseline", "v1"),
    ]).toEqual(["skip", "warn", "pass"]);
  },
};
