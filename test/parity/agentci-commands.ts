import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import { type Bench, matches, type Section, specOf } from "./harness.ts";
import { argv } from "../support/run-cli.ts";

const says = (score: number) => completion({ score, label: score >= 4 ? "pass" : "fail", rationale: "r" });
const ok = { tools: ["search"] };
const many = { tools: Array.from({ length: 9 }, () => "search"), answer: "Sorry." };
const blocks = "correctness: { not_in_answer: [sorry] }\npath: { max_tool_calls: 3 }";

/** Saves a good run as `v1` and a bad one as `v2`; gives the words that find them. */
async function saved(bench: Bench): Promise<readonly string[]> {
  const spec = bench.file("spec.yaml", specOf(blocks));
  const folder = ["--spec", spec, "--baseline-dir", bench.path("baselines")];
  const good = bench.dump(ok, "good.jsonl");
  const bad = bench.dump(many, "bad.jsonl");
  matches(await bench.run("save", good, ...folder, "--version", "v1", "--judge", "off"), { code: 0 });
  matches(await bench.run("save", bad, ...folder, "--version", "v2", "--judge", "off"), { code: 1 });
  matches(await bench.run("save", bad, ...folder, "--version", "v2", "--judge", "off", "--force-save"), {
    code: 0,
  });
  return folder;
}

/** Judges that give these scores, one after the other, audited over three repeats. */
async function audited(bench: Bench, scores: readonly number[], ...words: readonly string[]) {
  await bench.judge((_, n) => says(scores[n % scores.length] ?? 1));
  const spec = bench.file(
    "spec.yaml",
    specOf("correctness: { not_in_answer: [sorry], llm_judge: [{ rule: Is polite., threshold: 0.7 }] }"),
  );
  const ran = await bench.run("judge-audit", bench.dump({}), "--spec", spec, "--format", "json", ...words);
  return { ...ran, rubric: JSON.parse(ran.stdout).rubrics[0] };
}

async function reported(bench: Bench, runs: Parameters<Bench["dump"]>[0], ...words: readonly string[]) {
  const spec = bench.file("spec.yaml", specOf(blocks));
  const ran = await bench.run(
    ...argv`report ${bench.dump(runs)} --spec ${spec} --judge off --format json ${words}`,
  );
  return JSON.parse(ran.stdout);
}

export const commands: Section = {
  "exit codes 0, 1, 2": async (bench) => {
    const codes = [
      (await bench.test(blocks, ok)).code,
      (await bench.test(blocks, many)).code,
      (await bench.test(blocks, { answer: null })).code,
    ];
    expect(codes).toEqual([0, 1, 2]);
  },
  "JSON summary": async (bench) => {
    const { result } = await bench.test(blocks, [ok, many, { answer: null }]);
    matches(result.summary, { total: 3, passed: 1, warnings: 0, failed: 1, incomplete: 1, exit_code: 1 });
  },
  "`test`": async (bench) => {
    const spec = bench.file("spec.yaml", specOf(blocks));
    const { code, stdout } = await bench.run("test", bench.dump(many), "--spec", spec, "--judge", "off");
    expect(code).toBe(1);
    expect(stdout).toMatch(/not_in_answer[\s\S]*max_tool_calls/);
  },
  "`report`": async (bench) => {
    const { groups } = await reported(bench, [ok, many]);
    matches(groups, [{ key: "any", runs: 2, passed: 1, failed: 1, pass_rate: { mean: 0.5 } }]);
  },
  "baseline as reference": async (bench) => {
    const folder = await saved(bench);
    const spec = bench.file("spec.yaml", specOf("path: { min_tool_recall: 1, match_mode: strict }"));
    const asked = ["--baseline", "v1", ...folder.slice(2), "--judge", "off", "--format", "json"];
    const { stdout } = await bench.run("test", bench.dump({ tools: ["find"] }), "--spec", spec, ...asked);
    expect(JSON.parse(stdout).verdicts[0].metrics).toMatchObject({ tool_recall: 0 });
    expect(JSON.parse(stdout).verdicts[0].layers.path.outcome).toBe("warn");
  },
  "`save` with its precheck, `--force-save`, `baselines`": async (bench) => {
    const folder = await saved(bench);
    const { stdout } = await bench.run("baselines", ...folder.slice(2), "--format", "json");
    matches(JSON.parse(stdout).baselines, [
      { version: "v1", metadata: { precheck_passed: true } },
      { version: "v2", metadata: { precheck_passed: false } },
    ]);
  },
  "`diff`": async (bench) => {
    const folder = await saved(bench);
    const { stdout } = await bench.run("diff", ...folder, "--baseline", "v1", "--compare", "v2");
    expect(stdout).toMatch(/Correctness[\s\S]*PASS → FAIL[\s\S]*Tool calls: +1 → 9/);
  },
  "DiffTypes and their weights": async (bench) => {
    const folder = await saved(bench);
    const { stdout } = await bench.run(...argv`diff ${folder} --baseline v1 --compare v2 --format json`);
    expect(stdout).toMatch(/"REGRESSION"/);
    expect(stdout).toMatch(/"(OUTPUT_CHANGED|ANSWER_CHANGED)"/);
  },
  "GitHub annotations, at most ten warnings": async (bench) => {
    const spec = bench.file("spec.yaml", specOf("path: { max_tool_calls: 0 }"));
    const runs = Array.from({ length: 12 }, (_, at) => ({ ...ok, query: `Question ${at}?` }));
    const { stdout } = await bench.run(
      ...argv`test ${bench.dump(runs)} --spec ${spec} --format github --judge off`,
    );
    const warnings = stdout.split("\n").filter((line) => line.startsWith("::warning"));
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThanOrEqual(11);
  },
  "Prometheus gauges": async (bench) => {
    const spec = bench.file("spec.yaml", specOf(blocks));
    const result = bench.path("result.json");
    const words = ["--judge", "off", "--format", "prometheus", "--output", `json=${result}`];
    const { stdout } = await bench.run("test", bench.dump(ok), "--spec", spec, ...words);
    expect(stdout).toMatch(/^tracejury_\w+\{.*\} [\d.]+$/m);
    matches(await bench.run("export-metrics", result), { code: 0, stdout });
  },
  HTML: async (bench) => {
    const spec = bench.file("spec.yaml", specOf(blocks));
    const { stdout } = await bench.run(
      ...argv`test ${bench.dump(many)} --spec ${spec} --format html --judge off`,
    );
    expect(stdout).toMatch(/^<!doctype html>/i);
    expect(stdout).toContain("not_in_answer");
  },
  "`judge-audit`": async (bench) => {
    matches((await audited(bench, [5, 1], "--repeats", "2")).rubric, { verdict: "unreliable" });
  },
  "`init`": async (bench) => {
    matches(await bench.run("init", "--from", bench.dump(ok), "--dir", bench.folder), { code: 0 });
    const [spec = ""] = readdirSync(bench.path("specs"));
    const words = ["--spec", bench.path(`specs/${spec}`), "--judge", "off"];
    matches(await bench.run("test", bench.path("dump.jsonl"), ...words), { code: 0 });
  },
  "`calibrate`": async (bench) => {
    const spec = bench.file("spec.yaml", specOf("path: { max_tool_calls: 50 }"));
    const runs = Array.from({ length: 6 }, () => ok);
    const { stdout } = await bench.run("calibrate", bench.dump(runs), "--spec", spec, "--format", "json");
    matches(JSON.parse(stdout).queries[0].limits[0], { key: "max_tool_calls", written: 50, fit: "loose" });
  },
  "`promote`": async (bench) => {
    const spec = bench.file(
      "spec.yaml",
      "version: 1\nagent: '*'\nqueries:\n  - { query: '*', id: any, correctness: { not_in_answer: [sorry] } }\n",
    );
    matches(await bench.run("promote", bench.dump(many), "--spec", spec, "--max-calls", "2"), { code: 0 });
    expect(readFileSync(spec, "utf8")).toMatch(/Where is my order\?[\s\S]*max_tool_calls: 2/);
    expect(existsSync(bench.path("fixtures"))).toBe(true);
  },
  "`validate` has exit code 1 for an invalid spec": async (bench) => {
    const codes = [
      (await bench.validate("path: { max_loops: 1 }")).code,
      (await bench.validate("path: { max_loops: x }")).code,
      (await bench.run("validate", bench.path("nowhere.yaml"))).code,
    ];
    expect(codes).toEqual([0, 1, 2]);
  },
  "`doctor`": async (bench) => {
    const { stdout } = await bench.run("doctor", bench.dump({ ...ok, answer: null }), "--format", "json");
    matches(JSON.parse(stdout), { runs: 1 });
  },
  "`import`, importers of OTel JSON and other dialects": async (bench) => {
    const { stdout } = await bench.run("inspect", bench.dump(ok), "--format", "json");
    matches(JSON.parse(stdout), {
      agent: "shop-agent",
      query: "Where is my order?",
      tools: [{ name: "search" }],
    });
    const suite = bench.file(
      "suite.yaml",
      "version: 1\nagent: shop-agent\nqueries: [{ query: Where is my order?, correctness: { expected_in_answer: [way] } }]\n",
    );
    matches(await bench.run("init", "--from-agentci", suite, "--dir", bench.folder), { code: 0 });
  },
  "`mcp`": async (bench) => {
    const messages = [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
    ]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join("");
    const { stdout } = await Promise.resolve(bench.runProcess(messages, "mcp"));
    expect(stdout).toContain('"inputSchema"');
  },
  "`run`, `record`, `bootstrap`, `eval`": async (bench) => {
    const spec = bench.file(
      "spec.yaml",
      "version: 1\nagent: shop\nqueries: [{ id: silent, query: silent please, correctness: { expected_in_answer: [way] } }]\n",
    );
    bench.env = { ...(process.env as Record<string, string>) };
    const words = argv`--exec ${"node test/fixtures/agents/agent.mjs {query}"} --spec ${spec} --format json`;
    const { code, stdout } = await bench.run("test", ...words, "--keep", bench.path("kept"));
    expect(code).toBe(2);
    matches(JSON.parse(stdout).agent_calls, [{ query_id: "silent", outcome: "silent" }]);
  },
  "`--runs`, `--fail-on-flaky`, `--flaky-sources`": async (bench) => {
    const gated = `${blocks}\nreliability: { min_pass_rate: 0.9 }`;
    const { code, result } = await bench.test(gated, [ok, ok, many]);
    expect(code).toBe(1);
    matches(result.groups[0], { flaky: true, flip_source: "agent", gate: { outcome: "fail" } });
  },
  "queries cut to 60 characters in annotations": async (bench) => {
    const spec = bench.file("spec.yaml", specOf(blocks));
    const query = `Where is ${"my ".repeat(30)}order, 100%?`;
    const run = { ...many, query };
    const { stdout } = await bench.run(
      ...argv`test ${bench.dump(run)} --spec ${spec} --format github --judge off`,
    );
    expect(stdout).toMatch(/^::error .*$/m);
    expect(stdout).not.toMatch(/100%(?!25)/);
  },
  "CI template, pytest plugin": async (bench) => {
    const words = ["--agent", "shop", "--set", "admin=off", "--dir", bench.folder];
    matches(await bench.run("init", ...words), { code: 0 });
    const workflow = readFileSync(bench.path(".github/workflows/tracejury.yml"), "utf8");
    expect(workflow).toMatch(/uses: \S+\/tracejury@\w+ .*\n +with:\n +exec: python agent\.py \{query\}/);
  },
  "baseline metadata: model, spec_hash, judge_rubric_ids, precheck_passed": async (bench) => {
    const folder = await saved(bench);
    const { stdout } = await bench.run("baselines", ...folder.slice(2), "--format", "json");
    matches(JSON.parse(stdout).baselines[0].metadata, {
      model: "gpt-4o-mini",
      spec_hash: expect.stringMatching(/^sha256:/),
      judge_rubric_ids: [],
      precheck_passed: true,
    });
  },
  "regression: pass becomes fail, or tool calls more than double and increase by more than 3": async (
    bench,
  ) => {
    const folder = await saved(bench);
    const { code, stdout } = await bench.run(
      ...argv`diff ${folder} --baseline v1 --compare v2 --format json`,
    );
    expect([code, stdout.includes('"REGRESSION"')]).toEqual([1, true]);
    const back = await bench.run(...argv`diff ${folder} --baseline v2 --compare v1 --format json`);
    expect([back.code, back.stdout.includes('"REGRESSION"')]).toEqual([0, false]);
  },
  "`diff` as console, JSON and annotations": async (bench) => {
    const folder = await saved(bench);
    const of = (format: string) =>
      bench.run("diff", ...folder, "--baseline", "v1", "--compare", "v2", "--format", format);
    expect((await of("console")).stdout).toContain("→");
    expect(JSON.parse((await of("json")).stdout)).toBeDefined();
    expect((await of("github")).stdout).toMatch(/^::error /m);
  },
};

export const stability: Section = {
  "pass@k and pass^k from the observed rate": async (bench) => {
    const { groups } = await reported(bench, [ok, ok, many]);
    matches(groups[0], {
      plug_in: { k: 3, pass_at_k: expect.closeTo(0.963, 3), pass_hat_k: expect.closeTo(0.296, 3) },
      pass_at_k: { "3": 1 },
      pass_hat_k: { "3": 0 },
    });
  },
  "flip sources": async (bench) => {
    expect((await reported(bench, [ok, many])).groups[0]).toMatchObject({
      flaky: true,
      flip_source: "agent",
    });
    await bench.judge((_, n) => says(n === 0 ? 5 : 1));
    const spec = bench.file("spec.yaml", specOf("correctness: { llm_judge: [{ rule: Is polite. }] }"));
    const { stdout } = await bench.run("report", bench.dump([ok, ok]), "--spec", spec, "--format", "json");
    expect(JSON.parse(stdout).groups[0]).toMatchObject({ flaky: true, flip_source: "judge" });
  },
  "judge audit: flips, false passes, agreement, kappa": async (bench) => {
    const { rubric } = await audited(bench, [5], "--repeats", "2");
    matches(rubric, { flip_rate: 0, false_passes: 0, verdict: "reliable" });
    expect(rubric).toHaveProperty("kappa");
    expect(rubric).toHaveProperty("agreement");
  },
  "false passes: failures found by checks that the judge passed": async (bench) => {
    const labels = bench.file("labels.yaml", "any: fail\n");
    const { code, rubric } = await audited(bench, [5], "--repeats", "2", "--labels", labels);
    expect(code).toBe(1);
    matches(rubric, { false_passes: 1 });
  },
  "an audit of fewer than five checkable cases is anecdotal": async (bench) => {
    matches((await audited(bench, [5], "--repeats", "2")).rubric, { anecdotal: true });
  },
  "a judge is unreliable over 20 % flips, 15 % false passes, under 75 % agreement or kappa 0.4, and needs calibration over 5 % flips or under 90 % agreement":
    async (bench) => {
      const { stdout } = await audited(bench, [5, 1], "--repeats", "2");
      expect(stdout).toMatch(/flips on more than 20 %/);
    },
  "the exit code is 1 for an unreliable judge, 2 for an error": async (bench) => {
    expect((await audited(bench, [5, 1], "--repeats", "2")).code).toBe(1);
    await bench.judge(() => ({ status: 400, body: { error: { message: "no" } } }));
    const words = ["--spec", bench.path("spec.yaml"), "--repeats", "2"];
    expect((await bench.run("judge-audit", bench.path("dump.jsonl"), ...words)).code).toBe(2);
  },
};
