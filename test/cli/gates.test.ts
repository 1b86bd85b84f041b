import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dumps = ["rag-aws", "rag-install", "rag-weather-fixed"].map(
  (name) => `test/fixtures/runs/${name}.langgraph.jsonl`,
);
const folder = temporaryFolder();

/** One query about all three runs. */
function specOf(...lines: readonly string[]): string {
  const file = join(mkdtempSync(join(folder, "spec-")), "all.yaml");
  const query = ['- query: "*"', "  id: any", ...lines.map((line) => `  ${line}`)];
  writeFileSync(
    file,
    `version: 1\nagent: "*"\njudge_config: { model: openai/judge-1 }\nqueries:\n${query.map((line) => `  ${line}\n`).join("")}`,
  );
  return file;
}

async function tested(spec: string, env: Readonly<Record<string, string>> = {}) {
  const output = join(mkdtempSync(join(folder, "out-")), "result.json");
  const words = ["test", ...dumps, "--spec", spec, "--output", `json=${output}`];
  const { code, stdout } = await runCliWith({ env }, ...words);
  return { code, stdout, result: resultSchema.parse(JSON.parse(readFileSync(output, "utf8"))) };
}

test.each([
  ["{ pool: true, min_runs: 3 }", 1],
  ["{ pool: true, min_runs: 3, confidence: 0.95 }", 1],
  ["{ pool: true, min_runs: 3, min_pass_rate: 0 }", 0],
  ["{ min_runs: 3, min_pass_rate: 0 }", 2],
])("three runs that fail under reliability: %s end with exit code %i", async (reliability, code) => {
  const spec = specOf("correctness: { expected_in_answer: [no such word] }", `reliability: ${reliability}`);
  const ran = await tested(spec);

  expect(ran.result.summary).toMatchObject({ runs: 3, failed: 3 });
  expect(ran.code).toBe(code);
});

/** A judge that gives all of an answer's criteria. */
async function pleased() {
  const ids = ["answers_question", "accurate", "structured", "follows_instructions"];
  const criteria = ids.map((id) => ({ id, reason: "r", applicable: true, score: 1 }));
  const server = await modelServer(() => completion({ rationale: "so", criteria }));
  return { server, env: { OPENAI_API_KEY: "sk-gates", OPENAI_BASE_URL: `${server.url}/v1` } };
}

const asked = (limits: string) =>
  specOf(
    "correctness: { not_in_answer: [weather] }",
    "scoring: {}",
    `reliability: { pool: true, min_pass_rate: 0.5, ${limits} }`,
  );

test.each([
  ["min_mean_score: 83", 0],
  ["min_mean_score: 84", 1],
  ["max_std_dev: 29", 0],
  ["max_std_dev: 28", 1],
])(
  "scores of 100, 100, and 50 of the run that failed before its judge: %s is exit code %i",
  async (limits, code) => {
    const { server, env } = await pleased();
    const ran = await tested(asked(limits), env);

    expect(server.received).toHaveLength(2);
    expect(
      ran.result.verdicts.map(({ metrics }) => metrics["score"]).toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual([50, 100, 100]);
    expect(ran.result.groups[0]).toMatchObject({
      metrics: { score: { count: 3, interval: { low: expect.any(Number), high: expect.any(Number) } } },
    });
    expect(ran.stdout).toMatch(/score: mean 83\.3, median 100, spread 28\.9, .* at 95 % confidence, 3 runs/);
    expect(ran.code).toBe(code);
  },
);

test("without a judge's key the score of a run that passed is unknown: the gate is incomplete, exit code 2", async () => {
  const ran = await tested(asked("min_mean_score: 10"));

  expect(ran.code).toBe(2);
  expect(ran.result.groups[0]?.gate).toMatchObject({ outcome: "incomplete", runs_needed: null });
  expect(ran.stdout).toContain("2 of 3 runs have no known score");
});
