import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import * as agentciChecks from "./agentci-checks.ts";
import { engine } from "./agentci-engine.ts";
import { judge } from "./agentci-judge.ts";
import { evalview } from "./evalview.ts";
import { matches, type Proof, type Section, specOf } from "./harness.ts";
import { ragas } from "./ragas.ts";
import { scylla } from "./scylla.ts";
import { argv } from "../support/run-cli.ts";

/** The proof of another row. */
function as(section: Section, rule: string): Proof {
  const proof = section[rule];
  if (proof === undefined) throw new Error(`no proof of ${rule}`);
  return proof;
}

const polite = () => completion({ score: 5, label: "pass", rationale: "r" });
const modes = as(agentciChecks.path, "`match_mode` strict, unordered, subset, superset");

export const contradictions: Section = {
  "AgentCI 2: how a mean score of 3.6 compares with threshold 0.7": as(
    judge,
    "an ensemble passes by majority and mean",
  ),
  "AgentCI 4: ties of labels; a model listed twice": async (bench) => {
    const server = await bench.judge(polite);
    const text = `version: 1
agent: "*"
judge_config: { ensemble: { enabled: true, models: [openai/m, openai/m] } }
queries: [{ query: "*", id: any, correctness: { llm_judge: [{ rule: Is polite. }] } }]
`;
    const { checks } = await bench.test(text, {});
    expect(server.received).toHaveLength(2);
    expect(checks["llm_judge"]?.judge?.votes).toHaveLength(2);
    const { stdout, stderr } = await bench.validate(text);
    expect(stdout + stderr).toMatch(/more than once/);
  },
  "AgentCI 5: which modes exist, and what the reference is": modes,
  "AgentCI 6: exit code of a forbidden tool": async (bench) => {
    bench.env = { GITHUB_ACTIONS: "true" };
    const { code, stderr } = await bench.test(
      "path: { forbidden_tools: [rm] }",
      { tools: ["rm"] },
      "--judge",
      "off",
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^::error /m);
  },
  "AgentCI 7: keys that are never evaluated": async (bench) => {
    const { verdict } = await bench.test(
      `correctness: { expected_in_answer: [a], any_expected_in_answer: [a], not_in_answer: [a], exact_match: a, regex_match: a, json_schema: {} }
path: { max_tool_calls: 1, expected_tools: [a], forbidden_tools: [b], max_loops: 1, match_mode: subset, min_tool_recall: 1, min_tool_precision: 1, min_sequence_similarity: 1, expected_handoff: a, expected_handoffs_available: [a], max_handoff_count: 1 }
cost: { max_cost_multiplier: 1, max_total_tokens: 1, max_llm_calls: 1, max_latency_ms: 1, max_cost_usd: 1 }`,
      {},
    );
    const { correctness, path, cost } = verdict.layers;
    const written = [...correctness.checks, ...path.checks, ...cost.checks].map(({ check }) => check);
    expect(written.length).toBeGreaterThanOrEqual(22);
    expect(
      [...correctness.checks, ...path.checks, ...cost.checks].map(({ outcome }) => outcome),
    ).not.toContain("error");
  },
  "AgentCI 8: whether `max_loops` may be 0; cycles": async (bench) => {
    const { metrics, checks } = await bench.test("path: { max_loops: 0 }", { tools: ["a", "b", "a", "b"] });
    matches(metrics, { loops: 0, cycle_repeats: 1 });
    expect(checks["max_loops"]?.outcome).toBe("pass");
  },
  "AgentCI 9: whether `not_in_answer` is reported after an earlier failure": async (bench) => {
    const { checks } = await bench.test(
      "correctness: { expected_in_answer: [zebra], not_in_answer: [sorry] }",
      {},
    );
    matches(checks, { expected_in_answer: { outcome: "fail" }, not_in_answer: { outcome: "pass" } });
  },
  "AgentCI 10: annotations mixed into JSON output": async (bench) => {
    bench.env = { GITHUB_ACTIONS: "true" };
    const { stdout, stderr } = await bench.test(
      "path: { forbidden_tools: [rm] }",
      { tools: ["rm"] },
      "--judge",
      "off",
    );
    expect(JSON.parse(stdout)).toBeDefined();
    expect(stderr).toContain("::error");
  },
  "AgentCI 12: metric labels that become equal when truncated": async (bench) => {
    const spec = bench.file("spec.yaml", specOf("path: { max_tool_calls: 9 }"));
    const words = ["--spec", spec, "--judge", "off", "--format", "prometheus"];
    const { stdout } = await bench.run("test", bench.dump({ query: 'Say "hi"?' }), ...words);
    expect(stdout).toMatch(/^[a-z_]+\{[^\n]*\} [\d.]+$/m);
  },
  "AgentCI 13: file and command names": async (bench) => {
    matches(await bench.run("validate", bench.file("any name.yml", specOf("path: { max_loops: 1 }"))), {
      code: 0,
    });
  },
  "AgentCI 14: baseline paths": as(evalview, "trace artefact without content"),
  "AgentCI 15: whether model defaults override the spec": async (bench) => {
    const { verdict } = await bench.test("path: { max_tool_calls: 9 }", {});
    expect(verdict.layers.path.checks.map(({ check }) => check)).toEqual(["max_tool_calls"]);
    expect(verdict.layers.cost.checks).toEqual([]);
  },
  "EvalView 2: whether the example score is 92.5 or 95.0": as(evalview, "overall score and `min_score`"),
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
  "EvalView 6: whether the hallucination check is on by default": async (bench) => {
    const server = await bench.judge(polite);
    const { checks } = await bench.test("correctness: { expected_in_answer: [way] }", {});
    expect([server.received.length, checks["hallucination_check"]]).toEqual([0, undefined]);
  },
  "EvalView 8: retries and workers": as(engine, "retries on rate limit and time-out, waits 1 s and 2 s"),
  "EvalView 10: a combined score hides a score of zero": async (bench) => {
    const weights = "{ tool_accuracy: 1, output_quality: 0, sequence_correctness: 0 }";
    const { metrics, verdict } = await bench.test(
      `correctness: { not_in_answer: [way] }\npath: { expected_tools: [a] }\nscoring: { weights: ${weights} }`,
      { tools: ["a"] },
    );
    expect([metrics["score"], verdict.layers.correctness.outcome, verdict.layers.path.outcome]).toEqual([
      100,
      "fail",
      "pass",
    ]);
  },
  "ProjectScylla 1: an example has grade A in one place, and grade B as its correction": as(
    scylla,
    "pass rate, implementation rate, cost per pass, composite",
  ),
  "ProjectScylla 3: whether the median of passes decides": as(
    scylla,
    "grades from the median composite. ProjectScylla's pages give the limits A ≥ .95 … F, its code S and A ≥ .80 …",
  ),
  "ProjectScylla 5: consistency at mean 0": as(scylla, "frontier, consistency"),
  "ProjectScylla 6: whether uplift is a percentage or a fraction": as(
    scylla,
    "grades, uplift, variance over groups",
  ),
  "RAGAS 4: division by zero; topics that are not in the list": as(
    ragas,
    "a conversation without topics; a spec without reference topics",
  ),
};

export const shared: Section = {
  "reference: spec, else baseline, else skipped": async (bench) => {
    const spec = (blocks: string) => bench.file("spec.yaml", specOf(blocks));
    const folder = ["--baseline-dir", bench.path("baselines"), "--judge", "off"];
    const before = bench.dump({ tools: ["a", "b"] }, "before.jsonl");
    await bench.run("save", before, "--spec", spec("path: {}"), "--version", "v1", ...folder);
    const of = async (blocks: string, ...words: readonly string[]) => {
      const run = bench.dump({ tools: ["b", "a"] });
      const { stdout } = await bench.run(
        ...argv`test ${run} --spec ${spec(blocks)} ${folder} --format json ${words}`,
      );
      return JSON.parse(stdout).verdicts[0].layers.path.checks[0].outcome;
    };
    const own = "path: { match_mode: same-order, expected_tool_sequence: [b, a] }";
    expect([
      await of("path: { match_mode: same-order }"),
      await of("path: { match_mode: same-order }", "--baseline", "v1"),
      await of(own, "--baseline", "v1"),
    ]).toEqual(["skip", "warn", "pass"]);
  },
  "one engine, named presets": async (bench) => {
    const of = async (preset: string) => {
      const blocks = "path: { expected_tool_sequence: [a, b], match_mode: subset }";
      const text = specOf(blocks).replace("version: 1\n", `version: 1\npreset: ${preset}\n`);
      return (await bench.test(text, { tools: ["a", "b", "c"] })).checks["match_mode"]?.outcome;
    };
    expect([await of("agentci"), await of("langchain")]).toEqual(["pass", "warn"]);
    const used = async (preset: string) => {
      const text = specOf("path: { expected_tools: [SEARCH_*] }");
      const of = text.replace("version: 1\n", `version: 1\npreset: ${preset}\n`);
      return (await bench.test(of, { tools: ["search_web"] })).checks["expected_tools"]?.outcome;
    };
    expect([await used("agentci"), await used("promptfoo")]).toEqual(["warn", "pass"]);
  },
  "ambiguous mode names are reported": async (bench) => {
    const { code, stdout, stderr } = await bench.validate(
      "path: { expected_tool_sequence: [a], match_mode: subset }",
    );
    expect(code).toBe(0);
    expect(stdout + stderr).toContain("contains");
  },
  "eight tool categories by list; a category satisfied only by bash is reported": async (bench) => {
    const { checks } = await bench.test("path: { expected_tool_categories: [git] }", { tools: ["bash"] });
    matches(checks["expected_tool_categories"], {
      outcome: "pass",
      message: expect.stringContaining("bash"),
    });
  },
  "four default output criteria, equal weights": as(evalview, "output quality 0–100"),
  "pass threshold of weighted criteria 0.70": as(
    scylla,
    "requirements have a weight and are binary or scaled; those that do not apply are left out",
  ),
};
