import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dump = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
const folder = temporaryFolder();
const spec = join(folder, "audited.yaml");
writeFileSync(
  spec,
  `version: 1
agent: "*"
judge_config: { model: openai/judge-1 }
queries:
  - query: "*"
    id: any
    correctness: { llm_judge: [{ rule: The answer declines politely., threshold: 0.7 }] }
`,
);

async function audited(scores: readonly number[], ...words: readonly string[]) {
  const server = await modelServer((_, n) =>
    completion({ score: scores[n % scores.length] ?? 1, label: "pass", rationale: "It seems so." }),
  );
  const env = { OPENAI_API_KEY: "sk-audit", OPENAI_BASE_URL: `${server.url}/v1` };
  const ran = await runCliWith({ env }, "judge-audit", dump, "--spec", spec, ...words);
  return { ...ran, requests: server.received.length };
}

test("a judge that repeats itself is reliable", async () => {
  const { code, stdout, requests } = await audited([5], "--repeats", "4", "--format", "json");

  expect({ code, requests }).toEqual({ code: 0, requests: 4 });
  expect(JSON.parse(stdout).rubrics).toMatchObject([
    { model: "openai/judge-1", verdict: "reliable", cases: 1, flip_rate: 0, anecdotal: true },
  ]);
});

test("a judge that flips is unreliable: exit code 1, and the console says why", async () => {
  expect(await audited([5, 1], "--repeats", "2")).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/unreliable[\s\S]*flips on more than 20 %/),
  });
});

test("labels of people are compared with what the judge says", async () => {
  const labels = join(folder, "labels.yaml");
  writeFileSync(labels, "any: fail\n");
  const { code, stdout } = await audited([5], "--labels", labels, "--format", "json");

  expect(code).toBe(1);
  expect(JSON.parse(stdout).rubrics[0]).toMatchObject({ labelled: 1, agreement: 0, false_passes: 1 });
});

test("one answer that the checks fail and the judge passes is enough: not trustworthy, exit code 1", async () => {
  const checked = join(folder, "checked.yaml");
  writeFileSync(
    checked,
    `version: 1
agent: "*"
judge_config: { model: openai/judge-1 }
queries:
  - query: "*"
    id: any
    correctness: { expected_in_answer: ["a word that no answer has"], llm_judge: [{ rule: The answer declines politely., threshold: 0.7 }] }
`,
  );
  const server = await modelServer(() => completion({ score: 5, label: "pass", rationale: "Fine." }));
  const env = { OPENAI_API_KEY: "sk-audit", OPENAI_BASE_URL: `${server.url}/v1` };
  const audit = (...words: readonly string[]) =>
    runCliWith({ env }, "judge-audit", dump, "--spec", checked, ...words);

  const json = await audit("--format", "json");
  const { stdout, code } = await audit();

  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout).rubrics).toMatchObject([
    { verdict: "unreliable", checkable: 1, failed_by_checks: 1, false_passes: 1, false_pass_rate: 1 },
  ]);
  expect(code).toBe(1);
  expect(stdout).toContain("not trustworthy: passes 1 of the 1 answer that checks or labels fail");
  expect(stdout).toContain("false passes 1 of 1 failed answers (100 %)");
  expect(stdout).not.toContain("anecdote");
});

test("without a key nothing is audited", async () => {
  const ran = await runCliWith({ env: {} }, "judge-audit", dump, "--spec", spec);

  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/OPENAI_API_KEY/) });
});
