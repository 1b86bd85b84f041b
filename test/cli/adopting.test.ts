import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resultSchema, type ResultJson } from "../../src/report/json/verdict-schema.ts";
import { agentDump } from "../support/agent-dump.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder, temporaryFile } from "../support/temporary-folder.ts";

const broken = "test/fixtures/runs/rag-weather-broken.langgraph.jsonl";
const install = "test/fixtures/runs/rag-install.langgraph.jsonl";
const base = ["--spec", "specs/rag-agent.yaml", "--judge", "off", "--on-missing", "warn"];
const dir = temporaryFolder();

describe("on an agent that fails today", () => {
  test("--fail-on new counts only what is worse than a saved result", async () => {
    const saved = join(dir, "saved.json");
    expect((await runCli("test", broken, ...base, "--output", `json=${saved}`)).code).toBe(1);
    expect((await runCli("test", broken, ...base, "--fail-on", "new", saved)).code).toBe(0);
    expect((await runCli("test", broken, ...base, "--fail-on", "new", "--known", saved)).code).toBe(0);
  });

  test("no format of a report is red about a gate and a missing query that were known", async () => {
    const gated = temporaryFile(
      "gated.yaml",
      "agent: rag-agent\nqueries:\n  - id: weather\n    query: What's the weather in Tokyo?\n    correctness: { expected_in_answer: [zebra] }\n    reliability: { min_pass_rate: 0.1, min_runs: 1 }\n  - query: Something else\n",
    );
    const saved = join(dir, "gated.json");
    expect((await runCli("test", broken, "--spec", gated, "--output", `json=${saved}`)).code).toBe(1);
    const red: Readonly<Record<string, RegExp>> = {
      junit: /(?:failures|errors)="[1-9]/,
      github: /^::error/m,
      sarif: /"level": "error"/,
      gitlab: /"severity": "(?:major|critical|blocker)"/,
    };
    const of = (format: string) =>
      runCli("test", broken, "--spec", gated, "--fail-on", "new", saved, "--format", format);
    for (const [format, mark] of Object.entries(red)) {
      const { code, stdout } = await of(format);
      expect({ format, code, isRed: mark.test(stdout) }).toEqual({ format, code: 0, isRed: false });
    }
  });

  test("missing queries count once they were there", async () => {
    const strict = base.slice(0, -2);
    const saved = join(dir, "missing.json");
    expect((await runCli("test", install, ...strict, "--output", `json=${saved}`)).code).toBe(2);
    expect((await runCli("test", install, ...strict, "--fail-on", "new", saved)).code).toBe(0);
    const { code, stdout } = await runCli("test", broken, ...strict, "--fail-on", "new", saved);
    expect(code).toBe(1);
    expect(stdout).toMatch(/1 query had no run/);
  });

  test("a result that is not there, or not one, is said", async () => {
    expect(await runCli("test", broken, ...base, "--fail-on", "new")).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("backtest", () => {
  const old =
    "agent: rag-agent\nqueries:\n  - { id: any, query: '*', correctness: { not_in_answer: [zzz] }, cost: { max_total_tokens: 100000 } }\n";
  const strict =
    "agent: rag-agent\nqueries:\n  - { id: any, query: '*', correctness: { not_in_answer: ['7'] }, cost: { max_total_tokens: 100000 } }\n";

  const many = Array.from({ length: 300 }, (_, at) => ({
    agent: "rag-agent",
    query: `Question ${at}`,
    answer: `Answer ${at}`,
  }));

  test("names exactly the verdicts that two plain runs differ in, over hundreds of runs", async () => {
    const dump = temporaryFile("many.jsonl", agentDump(many));
    const [before, after] = [temporaryFile("old.yaml", old), temporaryFile("new.yaml", strict)];
    const plain = async (spec: string): Promise<Map<string, string>> => {
      const { stdout } = await runCli("test", dump, "--spec", spec, "--format", "json");
      const result: ResultJson = resultSchema.parse(JSON.parse(stdout));
      return new Map(result.verdicts.map(({ run_id, outcome }) => [run_id, outcome]));
    };
    const was = await plain(before);
    const is = await plain(after);
    const expected = [...is].filter(([run, outcome]) => was.get(run) !== outcome).map(([run]) => run);

    const { code, stdout } = await cli`backtest ${dump} --spec ${after} --base ${before} --format json`;
    const report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report.summary).toMatchObject({ runs: 300, judged: 300, flips: expected.length });
    expect(expected.length).toBeGreaterThan(30);
    expect(expected.length).toBeLessThan(270);
    expect(report.flips.map((flip: { run_id: string }) => flip.run_id).sort()).toEqual(expected.sort());
    for (const flip of report.flips) {
      expect([flip.before.outcome, flip.after.outcome]).toEqual([was.get(flip.run_id), is.get(flip.run_id)]);
    }
    const failing = await runCli("backtest", dump, "--spec", after, "--base", before, "--fail-on", "worse");
    expect(failing.code).toBe(1);
    expect(failing.stdout).toMatch(/pass → fail/);
  });

  test("of runs that neither version judges, nothing is known", async () => {
    const spec = temporaryFile("else.yaml", "agent: someone-else\nqueries:\n  - { query: Something }\n");
    const none = await cli`backtest ${broken} --spec ${spec} --base ${spec} --fail-on worse`;
    expect(none.stdout).toContain("exit 2: 1 run, 0 judged");
    expect(none.code).toBe(2);
  });

  test("an unchanged spec flips nothing; a query that went away leaves runs unmatched", async () => {
    const spec = "specs/rag-agent.yaml";
    const same = await cli`backtest ${broken} ${install} --spec ${spec} --base ${spec} --judge off --format
      json`;
    expect(JSON.parse(same.stdout)).toMatchObject({ summary: { flips: 0, runs: 2 } });
    const less = temporaryFile("less.yaml", "agent: rag-agent\nqueries:\n  - { query: Something else }\n");
    const { stdout } = await cli`backtest ${broken} --spec ${less} --base ${spec} --judge off --format json`;
    expect(JSON.parse(stdout).flips).toMatchObject([
      { before: { outcome: "fail" }, after: { outcome: "unmatched" } },
    ]);
    const comment = await cli`backtest ${broken} --spec ${less} --base ${spec} --judge off --format markdown`;
    expect(comment.stdout).toMatch(/^<!-- tracejury-backtest -->[\s\S]*fail → unmatched: 1 run/);
  });
});
