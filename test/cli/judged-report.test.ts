import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dump = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
const folder = temporaryFolder();
const spec = join(folder, "judged.yaml");
writeFileSync(
  spec,
  `version: 1
agent: "*"
judge_config: { model: openai/judge-1 }
queries:
  - query: "*"
    id: any
    correctness:
      llm_judge:
        - { name: work, criteria: [{ id: right, text: is right }] }
        - { name: polite, rule: is polite }
`,
);

/** A judge that gives 0.85 for the criterion and 4 for politeness. */
async function judged(...words: readonly string[]) {
  const server = await modelServer(({ body }) =>
    completion(
      JSON.stringify(body).includes("is right")
        ? { rationale: "so", criteria: [{ id: "right", reason: "r", applicable: true, score: 0.85 }] }
        : { score: 4, label: "pass", rationale: "Kind." },
    ),
  );
  const env = { OPENAI_API_KEY: "sk-report", OPENAI_BASE_URL: `${server.url}/v1` };
  return runCliWith({ env }, ...words);
}

test("a result of test has the same scores, and gives the same report without asking again", async () => {
  const result = join(folder, "result.json");
  const ran = await judged("test", dump, "--spec", spec, "--output", `json=${result}`);
  const [verdict] = JSON.parse(readFileSync(result, "utf8")).verdicts;
  const { stdout } = await runCliWith({ env: {} }, "report", result, "--format", "json");

  expect(ran.code).toBe(0);
  expect(verdict.metrics).toMatchObject({ impl_rate: 0.85, "rubric.work": 0.85, "rubric.polite": 4 });
  expect(JSON.parse(stdout).groups[0]).toMatchObject({
    grade: "B",
    metrics: { composite: { median: 0.925 } },
  });
});
