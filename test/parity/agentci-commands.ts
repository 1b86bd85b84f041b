import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import { type Bench, matches, type Section, specOf } from "./harness.ts";
import { argv, type Ran } from "../support/run-cli.ts";

const says = (score: number) => completion({ score, label: score >= 4 ? "pass" : "fail", rationale: "r" });
const ok = { tools: ["search"] };
const many = { tools: Array.from({ length: 9 }, () => "search"), answer: "Sorry." };
const blocks = "correctness: { not_in_answer: [sorry] }\npath: { max_tool_calls: 3 }";

/** Saves a good run as `v1` and a bad one as `v2`; gives the words that find them. */
async function saved(bench: Bench): Promise<readonly string[]> {
  const folder = argv`--spec ${bench.file("spec.yaml", specOf(blocks))} --baseline-dir ${bench.path("baselines")}`;
  const [good, bad] = [bench.dump(ok, "good.jsonl"), bench.dump(many, "bad.jsonl")];
  matches(await bench.run(...argv`save ${good} ${folder} --version v1 --judge off`), { code: 0 });
  matches(await bench.run(...argv`save ${bad} ${folder} --version v2 --judge off`), { code: 1 });
  matches(await bench.run(...argv`save ${bad} ${folder} --version v2 --judge off --force-save`), { code: 0 });
  return folder;
}

async function baselinesOf(bench: Bench): Promise<unknown> {
  const folder = (await saved(bench)).slice(2);
  return JSON.parse((await bench.run(...argv`baselines ${folder} --format json`)).stdout).baselines;
}

async function difference(bench: Bench, format: string, a = "v1", b = "v2"): Promise<Ran> {
  return bench.run(...argv`diff ${await saved(bench)} --baseline ${a} --compare ${b} --format ${format}`);
}

/** Judges that give these scores, one after the other, audited over two repeats. */
async function audited(bench: Bench, scores: readonly number[], ...words: readonly string[]) {
  await bench.judge((_, n) => says(scores[n % scores.length] ?? 1));
  const judged = "correctness: { not_in_answer: [sorry], llm_judge: [{ rule: Is polite., threshold: 0.7 }] }";
  const spec = bench.file("spec.yaml", specOf(judged));
  const ran = await bench.run(
    ...argv`judge-audit ${bench.dump({})} --spec ${spec} --format json --repeats 2 ${words}`,
  );
  return { ...ran, rubric: JSON.parse(ran.stdout).rubrics[0] };
}

export const commands: Section = {
  "`test`": async (bench) =>
    matches(await bench.print(blocks, many), {
      code: 1,
      stdout: expect.stringMatching(/not_in_answer[\s\S]*max_tool_calls/),
    }),
  "baseline as reference": async (bench) => {
    const folder = (await saved(bench)).slice(2);
    const { verdict } = await bench.test(
      "path: { min_tool_recall: 1, match_mode: strict }",
      { tools: ["find"] },
      ...argv`--baseline v1 ${folder}`,
    );
    matches(verdict, { metrics: { tool_recall: 0 }, layers: { path: { outcome: "warn" } } });
  },
  "`save` with its precheck, `--force-save`, `baselines`": async (bench) =>
    matches(await baselinesOf(bench), [
      { version: "v1", metadata: { precheck_passed: true } },
      { version: "v2", metadata: { precheck_passed: false } },
    ]),
  "`diff`": async (bench) => {
    const { stdout } = await bench.run(...argv`diff ${await saved(bench)} --baseline v1 --compare v2`);
    expect(stdout).toMatch(/Correctness[\s\S]*PASS → FAIL[\s\S]*Tool calls: +1 → 9/);
  },
  "DiffTypes and their weights": async (bench) => {
    const { stdout } = await difference(bench, "json");
    expect(stdout).toMatch(/"REGRESSION"/);
    expect(stdout).toMatch(/"(OUTPUT_CHANGED|ANSWER_CHANGED)"/);
  },
  "GitHub annotations, at most ten warnings": async (bench) => {
    const runs = Array.from({ length: 12 }, (_, at) => ({ ...ok, query: `Question ${at}?` }));
    const { stdout } = await bench.print("path: { max_tool_calls: 0 }", runs, "--format", "github");
    const warnings = stdout.split("\n").filter((line) => line.startsWith("::warning"));
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThanOrEqual(11);
  },
  "Prometheus gauges": async (bench) => {
    const result = bench.path("result.json");
    const { stdout } = await bench.print(blocks, ok, ...argv`--format prometheus --output json=${result}`);
    expect(stdout).toMatch(/^tracejury_\w+\{.*\} [\d.]+$/m);
    matches(await bench.run("export-metrics", result), { code: 0, stdout });
  },
  HTML: async (bench) => {
    const { stdout } = await bench.print(blocks, many, "--format", "html");
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*not_in_answer/i);
  },
  "`judge-audit`": async (bench) => matches((await audited(bench, [5, 1])).rubric, { verdict: "unreliable" }),
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
    const spec = bench.file("spec.yaml", specOf("correctness: { not_in_answer: [sorry] }"));
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
    const read = { agent: "shop-agent", query: "Where is my order?", tools: [{ name: "search" }] };
    matches(JSON.parse(stdout), read);
    const suite = bench.file("suite.yaml", specOf("correctness: { expected_in_answer: [way] }"));
    matches(await bench.run("init", "--from-agentci", suite, "--dir", bench.folder), { code: 0 });
  },
  "`mcp`": async (bench) => {
    const clientInfo = { name: "t", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const messages = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
    ];
    const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    expect(bench.runProcess(lines, "mcp").stdout).toContain('"inputSchema"');
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
  "queries cut to 60 characters in annotations": async (bench) => {
    const query = `Where is ${"my ".repeat(30)}order, 100%?`;
    const { stdout } = await bench.print(blocks, { ...many, query }, "--format", "github");
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
    const spec_hash = expect.stringMatching(/^sha256:/) as string;
    const metadata = { model: "gpt-4o-mini", spec_hash, judge_rubric_ids: [], precheck_passed: true };
    matches(await baselinesOf(bench), [{ metadata }, {}]);
  },
  "regression: pass becomes fail, or tool calls more than double and increase by more than 3": async (
    bench,
  ) => {
    const { code, stdout } = await difference(bench, "json");
    expect([code, stdout.includes('"REGRESSION"')]).toEqual([1, true]);
    const back = await difference(bench, "json", "v2", "v1");
    expect([back.code, back.stdout.includes('"REGRESSION"')]).toEqual([0, false]);
  },
  "`diff` as console, JSON and annotations": async (bench) => {
    expect((await difference(bench, "console")).stdout).toContain("→");
    expect((await difference(bench, "console", "v2", "v1")).stdout).toContain("→");
    expect(JSON.parse((await difference(bench, "json")).stdout)).toBeDefined();
    expect((await difference(bench, "github")).stdout).toMatch(/^::error /m);
  },
};

export const stability: Section = {
  "judge audit: flips, false passes, agreement, kappa": async (bench) => {
    const { rubric } = await audited(bench, [5]);
    matches(rubric, { flip_rate: 0, false_passes: 0, verdict: "reliable" });
    expect(rubric).toHaveProperty("kappa");
    expect(rubric).toHaveProperty("agreement");
  },
  "false passes: failures found by checks that the judge passed": async (bench) => {
    const labels = bench.file("labels.yaml", "any: fail\n");
    const audit = await audited(bench, [5], "--labels", labels);
    matches(audit, { code: 1, rubric: { false_passes: 1 } });
  },
  "an audit of fewer than five checkable cases is anecdotal": async (bench) =>
    matches((await audited(bench, [5])).rubric, { anecdotal: true }),
  "a judge is unreliable over 20 % flips, 15 % false passes, under 75 % agreement or kappa 0.4, and needs calibration over 5 % flips or under 90 % agreement":
    async (bench) => expect((await audited(bench, [5, 1])).stdout).toMatch(/flips on more than 20 %/),
  "the exit code is 1 for an unreliable judge, 2 for an error": async (bench) => {
    expect((await audited(bench, [5, 1])).code).toBe(1);
    await bench.judge(() => ({ status: 400, body: { error: { message: "no" } } }));
    const words = ["--spec", bench.path("spec.yaml"), "--repeats", "2"];
    expect((await bench.run("judge-audit", bench.path("dump.jsonl"), ...words)).code).toBe(2);
  },
};
