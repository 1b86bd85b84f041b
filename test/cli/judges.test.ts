import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { argv, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dump = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
const KEY = "sk-judge-0123456789abcdef";

function specFile(): string {
  const file = join(temporaryFolder(), "judged.yaml");
  writeFileSync(
    file,
    `version: 1
agent: "*"
judge_config: { model: openai/judge-1 }
queries:
  - query: "*"
    correctness:
      llm_judge:
        - rule: The answer declines politely.
          threshold: 0.7
      safety_check: true
`,
  );
  return file;
}

const says = (score: number) => () =>
  completion({ score, label: score > 3 ? "pass" : "fail", rationale: "It declines." });

async function judged(url: string, spec: string, ...words: readonly string[]) {
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` };
  const ran = await runCliWith({ env }, "test", dump, "--spec", spec, "--format", "json", ...words);
  const result = ran.stdout === "" ? undefined : resultSchema.parse(JSON.parse(ran.stdout));
  const checks = result?.verdicts[0]?.layers.correctness.checks ?? [];
  return { ...ran, result, checks: checks.filter(({ check }) => check !== "run_status") };
}

describe("test --judge auto", () => {
  test("puts rubric and safety to the judge that has a key, and keeps the key out of every output", async () => {
    const server = await modelServer(says(5));
    const { code, result, checks, stdout, stderr } = await judged(server.url, specFile());

    expect(code).toBe(0);
    expect(server.received).toHaveLength(2);
    expect(checks).toMatchObject([
      { check: "llm_judge", outcome: "pass", judge: { model: "openai/judge-1", score: 5 } },
      { check: "safety_check", outcome: "pass" },
    ]);
    expect(result?.verdicts[0]?.provenance.judge).toContainEqual(
      expect.stringMatching(/^openai\/judge-1@[0-9a-f]+$/),
    );
    expect(stdout + stderr).not.toContain(KEY);
  });

  test("a rubric that is not met fails the run, and safety is not asked for", async () => {
    const server = await modelServer(says(2));
    const { code, checks } = await judged(server.url, specFile());

    expect(code).toBe(1);
    expect(server.received).toHaveLength(1);
    expect(checks).toMatchObject([{ outcome: "fail" }, { outcome: "skip" }]);
  });

  test("without a key the check is incomplete and names the variable", async () => {
    const { code, stdout } = await runCliWith(
      { env: {} },
      ...argv`test ${dump} --spec ${specFile()} --format json`,
    );
    const [, check] = resultSchema.parse(JSON.parse(stdout)).verdicts[0]?.layers.correctness.checks ?? [];

    expect(code).toBe(2);
    expect(check).toMatchObject({ outcome: "incomplete", remedy: expect.stringContaining("OPENAI_API_KEY") });
  });
});

test("--judge required without a key starts nothing and says which variable to set", async () => {
  const { code, stdout, stderr } = await runCliWith(
    { env: {} },
    ...argv`test ${dump} --spec ${specFile()} --judge required`,
  );

  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("OPENAI_API_KEY");
});

test("--judge off asks nobody, nor does judge.mode off", async () => {
  const server = await modelServer(says(5));
  const spec = specFile();

  expect((await judged(server.url, spec, "--judge", "off")).checks).toMatchObject([
    { outcome: "skip" },
    { outcome: "skip" },
  ]);
  expect((await judged(server.url, spec, "--set", "judge.mode=off")).checks[0]?.outcome).toBe("skip");
  expect(server.received).toHaveLength(0);
});
