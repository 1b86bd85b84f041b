import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resultSchema, type ResultJson } from "../../src/report/json/verdict-schema.ts";
import { argv, cli, runCli } from "../support/run-cli.ts";
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

    const worse = temporaryFile(
      "worse.yaml",
      readFileSync("specs/rag-agent.yaml", "utf8").replace(
        "not_in_answer: [degrees,",
        'not_in_answer: ["I", degrees,',
      ),
    );
    const spec = ["--spec", worse, "--judge", "off", "--on-missing", "warn"];
    const known = JSON.stringify(JSON.parse(readFileSync(saved, "utf8"))).replaceAll(
      '"rag-agent"',
      '"worse"',
    );
    const renamed = temporaryFile("renamed.json", known);
    expect((await runCli("test", broken, ...spec, "--fail-on", "new", renamed)).code).toBe(1);
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

  test("waivers in the spec let a failure pass until they expire", async () => {
    const spec = readFileSync("specs/rag-agent.yaml", "utf8");
    const waiver = (expires: string): string =>
      `${spec}\nwaivers:\n  - { query: weather, check: forbidden_tools, owner: ann, reason: being mended, expires: ${expires} }\n`;
    const words = (path: string) => argv`test ${broken} --spec ${path} --judge off --on-missing warn`;
    const holding = await runCli(...words(temporaryFile("holding.yaml", waiver("2999-12-31"))));
    expect(holding).toMatchObject({ code: 0 });
    expect(holding.stdout).toMatch(/waived until 2999-12-31 by ann/);
    const expired = await runCli(...words(temporaryFile("expired.yaml", waiver("2020-01-01"))));
    expect(expired).toMatchObject({ code: 1 });
    expect(expired.stdout).toMatch(/expired on 2020-01-01/);
  });
});

describe("backtest", () => {
  const old =
    "agent: rag-agent\nqueries:\n  - { id: any, query: '*', correctness: { not_in_answer: [zzz] }, cost: { max_total_tokens: 100000 } }\n";
  const strict =
    "agent: rag-agent\nqueries:\n  - { id: any, query: '*', correctness: { not_in_answer: ['7'] }, cost: { max_total_tokens: 500 } }\n";

  test("names exactly the verdicts that two plain runs differ in, over hundreds of runs", async () => {
    const dump = temporaryFile("many.jsonl", manyRuns());
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

/** Runs of one span each, whose answers and tokens differ. */
function manyRuns(): string {
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const int = (key: string, value: number) => ({ key, value: { intValue: String(value) } });
  return Array.from({ length: 300 }, (_, at) => {
    const start = 1_750_000_000_000 + at * 5000;
    const message = (role: string, content: string) =>
      JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
    const span = {
      traceId: (at + 1).toString(16).padStart(32, "0"),
      spanId: (at + 1).toString(16).padStart(16, "0"),
      name: "invoke_agent rag-agent",
      startTimeUnixNano: `${start}000000`,
      endTimeUnixNano: `${start + 900}000000`,
      attributes: [
        text("gen_ai.operation.name", "invoke_agent"),
        text("gen_ai.agent.name", "rag-agent"),
        text("gen_ai.input.messages", message("user", `Question ${at}`)),
        text("gen_ai.output.messages", message("assistant", `Answer ${at}`)),
        int("gen_ai.usage.input_tokens", (at * 37) % 900),
        int("gen_ai.usage.output_tokens", 10),
      ],
    };
    return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: "t" }, spans: [span] }] }] });
  }).join("\n");
}
