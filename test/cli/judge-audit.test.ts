import { expect, test } from "vitest";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFile } from "../support/temporary-folder.ts";

const dump = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
/** A spec for all runs, with these checks beside a rubric. */
const specWith = (checks: string) =>
  temporaryFile(
    "spec.yaml",
    `version: 1
agent: "*"
judge_config: { model: openai/judge-1 }
queries: [{ query: "*", correctness: { ${checks}llm_judge: [{ rule: The answer declines politely. }] } }]
`,
  );

test("one answer that the checks fail and the judge passes is enough: not trustworthy, exit code 1", async () => {
  const checked = specWith("expected_in_answer: [a word that no answer has], ");
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
  const ran = await runCliWith({ env: {} }, "judge-audit", dump, "--spec", specWith(""));

  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/OPENAI_API_KEY/) });
});

test.each<[string, string, string, string, number]>([
  ["a label belongs to the run", "", "any: pass", "", 0],
  ["a label belongs to no run", "not_in_answer: [sorry], ", "anny: pass", "", 2],
  ["no label and no check decides", "", "{}", "", 2],
  ["a part of the input is unreadable", "not_in_answer: [sorry], ", "any: pass", '{"resourceSpans": [', 2],
])("%s: exit code", async (_, checks, labels, broken, code) => {
  const server = await modelServer(() => completion({ score: 5, label: "pass", rationale: "Fine." }));
  const env = { OPENAI_API_KEY: "sk-audit", OPENAI_BASE_URL: `${server.url}/v1` };
  const named = temporaryFile("labels.yaml", `${labels}\n`);
  const words = ["--spec", specWith(checks), "--labels", named];
  const damaged = broken === "" ? [] : [temporaryFile("broken.jsonl", `${broken}\n`)];
  expect(await runCliWith({ env }, "judge-audit", dump, ...damaged, ...words)).toMatchObject({ code });
});

test("an audit counts only for the rubric that was audited, not for another rule of the same name", async () => {
  const server = await modelServer(() => completion({ score: 1, label: "fail", rationale: "Rude." }));
  const env = { OPENAI_API_KEY: "sk-audit", OPENAI_BASE_URL: `${server.url}/v1` };
  const specOf = (rule: string): string =>
    temporaryFile(
      "spec.yaml",
      `version: 1
agent: "*"
judge_config: { model: openai/judge-1 }
queries: [{ query: "*", correctness: { llm_judge: [{ name: tone, rule: ${rule}, blocking: only-if-audited }] } }]
`,
    );
  const labels = temporaryFile("labels.yaml", "any: fail\n");
  const audit = await runCliWith(
    { env },
    "judge-audit",
    dump,
    "--spec",
    specOf("polite"),
    "--labels",
    labels,
    "--format",
    "json",
  );
  expect(audit.code).toBe(0);
  const audits = temporaryFile("audits.json", audit.stdout);
  const tested = (rule: string) =>
    runCliWith(
      { env },
      "test",
      dump,
      "--spec",
      specOf(rule),
      "--set",
      `judge.audits=${audits}`,
      "--no-judge-cache",
    );
  expect(await tested("polite")).toMatchObject({ code: 1 });
  expect(await tested("brief")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("tone has changed since its audit"),
  });
});
