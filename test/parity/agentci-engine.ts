import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import { twoCalls } from "./agent-dump.ts";
import { matches, type Section } from "./harness.ts";

const good = () => completion({ score: 5, label: "pass", rationale: "It does." });
const two = `version: 1
agent: "*"
defaults: { path: { max_tool_calls: 3, forbidden_tools: [rm] }, cost: { max_llm_calls: 9 } }
queries:
  - query: Where is my order?
    id: order
    tags: [smoke]
    path: { max_tool_calls: 5, forbidden_tools: [mv] }
  - { query: Cancel it., id: cancel, tags: [slow] }
`;

export const engine: Section = {
  "a version 1 spec": async (bench) => {
    const { code, verdict } = await bench.test(
      `version: 1
agent: shop-agent
baseline_dir: golden
defaults: { path: { max_loops: 3 }, cost: { max_llm_calls: 5 } }
judge_config: { model: gpt-4o }
queries:
  - query: Where is my order?
    description: as AgentCI v2 writes it
    tags: [smoke]
    correctness: { expected_in_answer: [way], not_in_answer: [sorry] }
    path: { max_tool_calls: 2, expected_tools: [search], match_mode: subset }
    cost: { max_total_tokens: 500 }
`,
      { tools: ["search"], calls: twoCalls },
    );
    expect([code, verdict.outcome]).toEqual([0, "pass"]);
  },
  "defaults merge deeply, lists are replaced": async (bench) => {
    const { checks } = await bench.test(two, {}, "--query", "order");
    matches(checks, {
      max_tool_calls: { limit: 5 },
      forbidden_tools: { limit: ["mv"] },
      max_llm_calls: { limit: 9 },
    });
  },
  "`--tags`": async (bench) => {
    const { result } = await bench.test(two, {}, "--tags", "smoke");
    expect(result.verdicts.map(({ query_id }) => query_id)).toEqual(["order"]);
    expect(result.missing).toEqual([]);
  },
  "an invalid spec is rejected": async (bench) => {
    const { code, stdout, stderr } = await bench.validate("path: { max_tool_call: 1, max_loops: many }");
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/max_tool_calls[\s\S]*max_loops|max_loops[\s\S]*max_tool_calls/);
    matches(await bench.run("test", bench.dump({}), "--spec", bench.path("spec.yaml")), { code: 2 });
  },
  "layer status pass, fail, warn, skip": async (bench) => {
    const { verdict } = await bench.test(
      "correctness: { not_in_answer: [way] }\npath: { max_tool_calls: 0 }\ncost: { max_cost_multiplier: 2 }",
      { tools: ["a"] },
    );
    const { correctness, path, cost } = verdict.layers;
    expect([correctness.outcome, path.outcome, cost.outcome]).toEqual(["fail", "warn", "skip"]);
    const lost = await bench.test("correctness: { expected_in_answer: [a] }\npath: { max_loops: 1 }", {
      answer: null,
      tools: ["a"],
      calls: twoCalls,
    });
    expect([lost.verdict.layers.correctness.outcome, lost.verdict.layers.path.outcome]).toEqual([
      "incomplete",
      "pass",
    ]);
  },
  "root keys `version`, `agent`, `baseline_dir`, `defaults`, `judge_config`, `queries`": async (bench) => {
    const text =
      'version: 1\nagent: a\nbaseline_dir: b\ndefaults: {}\njudge_config: { model: gpt-4o }\nqueries: [{ query: "*" }]\n';
    matches(await bench.validate(text), { code: 0 });
  },
  "query keys `query`, `description`, `tags`, `correctness`, `path`, `cost`": async (bench) => {
    const text =
      "version: 1\nagent: a\nqueries: [{ query: q, description: d, tags: [t], correctness: { exact_match: x }, path: { max_loops: 1 }, cost: { max_llm_calls: 1 } }]\n";
    matches(await bench.validate(text), { code: 0 });
  },
  "a blank query, or a spec without queries, is invalid": async (bench) => {
    matches(await bench.validate("version: 1\nagent: a\nqueries: [{ query: ' ' }]\n"), { code: 1 });
    matches(await bench.validate("version: 1\nagent: a\nqueries: []\n"), { code: 1 });
  },
  "announced feature: specs can include files": async (bench) => {
    bench.file("path.yaml", "max_tool_calls: 0\n");
    const { checks } = await bench.test("path: !include path.yaml", { tools: ["a"] });
    matches(checks["max_tool_calls"], { outcome: "warn", limit: 0 });
  },
  "a JSON Schema for editors, generated from the data models": async (bench) => {
    const { stdout } = await bench.run("schema", "spec");
    expect(JSON.parse(stdout)).toMatchObject({ $schema: expect.stringContaining("json-schema.org") });
    expect(stdout).toContain("max_tool_calls");
  },
  "details and messages of each layer": async (bench) => {
    const { verdict } = await bench.test("path: { max_tool_calls: 0, max_loops: 0 }", { tools: ["a", "a"] });
    matches(verdict.layers.path, {
      reason: expect.stringMatching(/max_tool_calls: .*1 more/),
      checks: [
        { check: "max_tool_calls", value: 2, limit: 0 },
        { check: "max_loops", value: 1 },
      ],
    });
  },
  "`--workers` 4": async (bench) => {
    const runs = Array.from({ length: 8 }, (_, at) => ({ tools: at % 2 === 0 ? ["a"] : [] }));
    const one = await bench.test("path: { max_tool_calls: 0 }", runs, "--workers", "1");
    const four = await bench.test("path: { max_tool_calls: 0 }", runs, "--workers", "4");
    expect(four.result.summary).toEqual(one.result.summary);
  },
  "label `[INFRA]` for infrastructure failures": async (bench) => {
    await bench.judge(() => ({ status: 400, body: { error: { message: "no" } } }));
    const { code, checks } = await bench.test("correctness: { llm_judge: [{ rule: Is polite. }] }", {});
    expect([code, checks["llm_judge"]?.outcome]).toEqual([2, "error"]);
  },
  "retries on rate limit and time-out, waits 1 s and 2 s": async (bench) => {
    const server = await bench.judge((_, n) =>
      n === 0
        ? { status: 429, headers: { "retry-after": "0" }, body: { error: { message: "slow" } } }
        : good(),
    );
    const { checks } = await bench.test("correctness: { llm_judge: [{ rule: Is polite. }] }", {});
    expect([checks["llm_judge"]?.outcome, server.received.length]).toEqual(["pass", 2]);
  },
  "retrieval layer": async (bench) => {
    const { checks } = await bench.test("retrieval: { min_results: 2, facts_in_context: [30 days] }", {
      documents: ["Refunds within 14 days."],
    });
    matches(checks, {
      "retrieval.min_results": { outcome: "warn", value: 1 },
      "retrieval.facts_in_context": { outcome: "warn" },
    });
  },
  "span assertions": async (bench) => {
    const blocks =
      "spans: [{ kind: TOOL, name: search, field: arguments.q, equals: shoes }]\nseverity: { path: fail }";
    const of = async (q: string) =>
      (await bench.test(blocks, { tools: [{ name: "search", arguments: { q } }] })).verdict.outcome;
    expect([await of("shoes"), await of("hats")]).toEqual(["pass", "fail"]);
  },
  "a judge on the field of a span": async (bench) => {
    const server = await bench.judge(good);
    await bench.test("spans: [{ kind: TOOL, name: search, field: result, judge: { rule: Is useful. } }]", {
      tools: [{ name: "search", result: "Size 42 is in stock." }],
    });
    expect(JSON.stringify(server.received[0]?.body)).toContain("Size 42 is in stock.");
  },
  "v1 `tool_called`, `tool_not_called`, `tool_call_count`": async (bench) => {
    const { checks, verdict } = await bench.test(
      "path: { expected_tools: [a], forbidden_tools: [b] }\nspans: [{ kind: tool, name: a, min_count: 2 }]",
      { tools: ["a"] },
    );
    matches(checks, { expected_tools: { outcome: "pass" }, forbidden_tools: { outcome: "pass" } });
    expect(verdict.layers.path.outcome).toBe("warn");
  },
  "v1 `arg_equals`, `arg_contains`": async (bench) => {
    const blocks =
      "spans: [{ kind: tool, name: a, field: arguments.q, equals: red shoes }, { kind: tool, name: a, field: arguments.q, contains: hats }]";
    const { verdict } = await bench.test(blocks, { tools: [{ name: "a", arguments: { q: "red shoes" } }] });
    expect(verdict.layers.path.checks.map(({ outcome }) => outcome)).toEqual(["pass", "warn"]);
  },
  "v1 `cost_under`, `steps_under`": async (bench) => {
    const call = { input: 100, output: 20 };
    const { checks } = await bench.test("path: { max_tool_calls: 1 }\ncost: { max_cost_usd: 1 }", {
      tools: ["a", "b"],
      calls: [call, call],
    });
    matches(checks, { max_tool_calls: { outcome: "warn" }, max_cost_usd: { outcome: "pass" } });
  },
  "v1 `output_contains`, `output_not_contains`, `llm_judge`": async (bench) => {
    await bench.judge(good);
    const { checks } = await bench.test(
      "correctness: { expected_in_answer: [way], not_in_answer: [sorry], llm_judge: [{ rule: Is polite. }] }",
      {},
    );
    expect(Object.values(checks).filter(({ outcome }) => outcome === "pass").length).toBeGreaterThanOrEqual(
      3,
    );
  },
  "v1 `handoff_target`, `handoff_targets_available`, `handoff_count`": async (bench) => {
    const { checks } = await bench.test(
      "path: { expected_handoff: billing, expected_handoffs_available: [billing, refunds], max_handoff_count: 1 }",
      { handoffs: ["billing"], handoffsAvailable: ["billing"] },
    );
    matches(checks, {
      expected_handoff: { outcome: "pass" },
      expected_handoffs_available: { outcome: "warn" },
      max_handoff_count: { outcome: "pass" },
    });
  },
  "retrieval: tool, forbid_empty, min_results, expected_sources, result_format, markers; skipped if undecidable":
    async (bench) => {
      const { checks } = await bench.test(
        "retrieval: { tool: lookup, result_format: json, forbid_empty: true, min_results: 1, expected_sources: [terms], empty_markers: [nothing] }",
        { tools: [{ name: "lookup", result: JSON.stringify([{ id: "policy", content: "14 days" }]) }] },
      );
      matches(checks, {
        "retrieval.forbid_empty": { outcome: "pass" },
        "retrieval.min_results": { outcome: "pass" },
        "retrieval.expected_sources": { outcome: "warn" },
      });
      const none = await bench.test("retrieval: { min_results: 1 }", {});
      expect(none.checks["retrieval.min_results"]?.outcome).toBe("skip");
    },
  "without a matching span the assertion fails; every matching span must pass": async (bench) => {
    const blocks = "spans: [{ kind: tool, name: a, field: result, contains: ok }]";
    const of = async (results: readonly string[]) =>
      (await bench.test(blocks, { tools: results.map((result) => ({ name: "a", result })) })).verdict.layers
        .path.outcome;
    expect([await of([]), await of(["ok", "no"]), await of(["ok", "ok"])]).toEqual(["warn", "warn", "pass"]);
  },
};
