import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dir = temporaryFolder();

function file(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

interface Found {
  readonly severity: string;
  readonly message: string;
  readonly hint: string | null;
}

async function found(...files: readonly string[]): Promise<readonly Found[]> {
  const { stdout } = await runCli("validate", "--format", "json", ...files);
  const checked = JSON.parse(stdout) as { problems: Found[] }[];
  return checked.flatMap(({ problems }) => problems);
}

const said = ({ severity, message, hint }: Found): string => `${severity}: ${message} | ${hint ?? ""}`;

test("a rubric template that is not there is an error with the name that was meant; those that are there are not", async () => {
  const spec = file(
    "templates.yaml",
    `agent: shop
judge_config: { model: opnai/gpt-4o, cascade: { first: openai/gpt-4o-mini } }
defaults:
  correctness: { safety_check: { rubric: safty } }
queries:
  - query: one
    correctness: { llm_judge: [faithfullness@1, faithfulness@9, faithfulness, { rubric: tone@1 }, is it nice] }
  - query: two
    spans: [{ kind: tool, field: result, judge: plan_adherance@1 }]
`,
  );
  const { code } = await runCli("validate", spec);
  expect(code).toBe(1);
  expect((await found(spec)).map(said)).toEqual([
    "warning: unknown judge provider `opnai`; known providers: anthropic, openai | did you mean `openai/gpt-4o`?",
    'error: unknown rubric template "safty" | did you mean "safety@1"?',
    'error: unknown rubric template "faithfullness@1" | did you mean "faithfulness@1"?',
    'error: unknown rubric template "faithfulness@9" | did you mean "faithfulness@1"?',
    'error: unknown rubric template "is it nice" | write the rule for the answer: `{ rule: … }`',
    'error: unknown rubric template "plan_adherance@1" | did you mean "plan_adherence@1"?',
  ]);
});

test("templates and providers of a configuration that is validated too are known", async () => {
  mkdirSync(join(dir, "rubrics"));
  const own = readFileSync("config/rubrics/tone.v1.yaml", "utf8").replace(/^name: .*$/m, "name: house_style");
  file("rubrics/house_style.v1.yaml", own);
  const config = file(
    "config.yaml",
    `judge:
  rubrics: [${join(dir, "rubrics")}]
  providers: { local: { kind: openai, base_url: "http://127.0.0.1:1/v1" } }
`,
  );
  const spec = file(
    "own.yaml",
    `agent: shop
judge_config: { model: local/small }
queries: [{ query: one, correctness: { llm_judge: [house_style@1] } }]
`,
  );
  expect((await found(spec)).length).toBe(2);
  expect(await found(spec, config)).toEqual([]);
});

test("--fix leaves a text with an unknown column as it is", async () => {
  file("cases.csv", "question\nWhere?\n");
  const text = 'agent: shop\nqueries:\n  - queries_from: cases.csv\n    query: "Please: {questoin}"\n';
  const spec = file("column.yaml", text);
  const { code, stdout } = await runCli("validate", "--fix", spec);
  expect(code).toBe(1);
  expect(stdout).toContain("did you mean the column `question`?");
  expect(readFileSync(spec, "utf8")).toBe(text);
});

test("a provider that is not declared is a warning of test, too, and one of the configuration is not", async () => {
  const spec = file(
    "providers.yaml",
    'agent: "*"\njudge_config: { model: house/small }\nqueries: [{ query: "*", correctness: { llm_judge: [tone@1] } }]\n',
  );
  const config = file(
    "providers-config.yaml",
    "judge: { providers: { house: { kind: openai, base_url: 'http://127.0.0.1:1' } } }\n",
  );
  const dump = "test/fixtures/runs/rag-aws.langgraph.jsonl";
  const words = ["test", dump, "--spec", spec, "--judge", "off", "--on-incomplete", "warn"];
  expect((await runCli(...words)).stderr).toContain("unknown judge provider `house`");
  expect(await runCli(...words, "--config", config)).toMatchObject({ code: 0, stderr: "" });
});

describe("the name of a judge model in the configuration", () => {
  const printed = (name: string) => runCli("config", "print", "--set", `judge.model=${JSON.stringify(name)}`);

  test.each(["openai/ ", "/gpt-4o", "anthropic:"])("%j is an error at the start", async (name) => {
    const { code, stderr } = await printed(name);
    expect(code).toBe(2);
    expect(stderr).toMatch(/judge\.model.*has no (model|provider).*write provider\/model/s);
  });

  test.each(["gpt-4o", "openai/a/b", "azure:gpt"])("%j is valid", async (name) => {
    expect((await printed(name)).code).toBe(0);
  });
});
