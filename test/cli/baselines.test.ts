import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { argv, cli, runCli, runCliWith } from "../support/run-cli.ts";
import { agentDump } from "../support/agent-dump.ts";
import { temporaryFile, temporaryFolder } from "../support/temporary-folder.ts";

const broken = "test/fixtures/runs/rag-weather-broken.langgraph.jsonl";
const fixed = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
const spec = ["--spec", "specs/rag-agent.yaml"];
const dir = temporaryFolder();

beforeAll(async () => {
  await save(broken, "v1-broken");
  await save(fixed, "v2-fixed");
});

function save(dump: string, version: string, ...more: string[]) {
  return cli`save ${dump} ${spec} --version ${version} --baseline-dir ${dir} --judge off ${more}`;
}

function diff(...words: string[]) {
  return runCli("diff", "--baseline-dir", dir, ...words);
}

describe("save", () => {
  test("writes one file a query, with where it comes from", () => {
    const saved = JSON.parse(readFileSync(join(dir, "rag-agent/weather/v2-fixed.json"), "utf8"));
    expect(saved).toMatchObject({
      version: "v2-fixed",
      agent: "rag-agent",
      query_id: "weather",
      query: "What's the weather in Tokyo?",
      metadata: { model: "gpt-4o-mini", precheck_passed: true, redaction: ["secrets"] },
      trace: { tools: [], total_tokens: 180 },
      verdict: { outcome: "pass" },
    });
  });

  test("refuses a run whose correctness fails, unless forced; the file says so", async () => {
    const words = argv`--spec test/fixtures/specs/weather-fails.yaml --version v3 --baseline-dir ${temporaryFolder()}`;
    const refused = await runCli("save", fixed, ...words, "--format", "json");
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ saved: [{ file: null, precheck_passed: false }] });
    expect((await runCli("save", fixed, ...words, "--force-save")).code).toBe(0);
  });

  test("takes an agent's name in another spelling, as `baselines` and `diff` do", async () => {
    const folder = temporaryFolder();
    const { code, stdout } =
      await cli`save ${fixed} ${spec} --version v1 --baseline-dir ${folder} --judge off --agent ${"RAG agent"}`;
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual(["rag-agent"]);
  });

  test("names the failed runs that it leaves out", async () => {
    const { code, stdout } =
      await cli`save ${broken} ${fixed} ${spec} --version both --baseline-dir ${temporaryFolder()} --judge off`;
    expect(code).toBe(0);
    expect(stdout).toContain("the best of 2 runs, of which 1 failed");
  });

  test("names the queries that the input has no run of", async () => {
    const { stderr } =
      await cli`save ${fixed} ${spec} --version part --baseline-dir ${temporaryFolder()} --judge off`;
    expect(stderr).toMatch(/not saved, because the input has no run of them: install, /);
  });

  test("refuses what can not be told, and names that would leave the folder", async () => {
    expect(
      await cli`save test/fixtures/runs/rag-aws.langgraph.jsonl ${spec} --version v1 --baseline-dir ${dir}`,
    ).toMatchObject({ code: 2 });
    expect(await save(fixed, "../v1")).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("baselines beside the specs of the configuration", () => {
  const project = temporaryFolder();
  beforeAll(async () => {
    mkdirSync(join(project, "specs"));
    const text = `agent: rag-agent
severity: { path: fail }
queries:
  - { id: weather, query: "What's the weather in Tokyo?", path: { max_tool_calls: 0 } }
`;
    writeFileSync(join(project, "specs", "rag.yaml"), text);
    writeFileSync(
      join(project, "tracejury.yaml"),
      `specs: [${JSON.stringify(join(project, "specs", "*.yaml"))}]\n`,
    );
  });
  const saved = (dump: string, version: string) =>
    cli`save ${dump} --spec ${join(project, "specs", "rag.yaml")} --version ${version} --judge off`;

  test("save says of a run that it fails by its path", async () => {
    expect(await saved(fixed, "v1")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✓ weather → /),
    });
    const { code, stdout } = await saved(broken, "v2");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^▲ weather → .*although the run fails: .*max_tool_calls/);
  });

  test("all commands use the folder that the configuration names", async () => {
    const folder = temporaryFolder();
    const config = ["--config", join(project, "tracejury.yaml"), "--set", `baseline_dir=${folder}`];
    for (const [dump, version] of [
      [fixed, "w1"],
      [broken, "w2"],
    ] as const)
      await cli`save ${dump} --version ${version} --judge off ${config}`;
    expect(readdirSync(join(folder, "rag-agent", "weather"))).toEqual(["w1.json", "w2.json"]);
    expect((await runCli("baselines", ...config)).stdout).toMatch(/w1[\s\S]*w2/);
    expect((await runCli("diff", "--baseline", "w1", "--compare", "w2", ...config)).code).toBe(1);
    const comparing = join(folder, "comparing.yaml");
    writeFileSync(
      comparing,
      `agent: rag-agent
queries: [{ id: weather, query: "What's the weather in Tokyo?", path: { match_mode: strict } }]
`,
    );
    const words = argv`--spec ${comparing} --baseline w1 --judge off --format json`;
    const { stdout } = await runCli("test", fixed, ...words, ...config);
    expect(JSON.parse(stdout).verdicts[0].layers.path.checks).toContainEqual(
      expect.objectContaining({ check: "match_mode", outcome: "pass" }),
    );
  });
});

test("baselines lists what is saved", async () => {
  const { code, stdout } = await cli`baselines --baseline-dir ${dir} --agent ${"RAG agent"} --format json`;
  expect(code).toBe(0);
  expect(JSON.parse(stdout).baselines).toMatchObject([
    { agent: "rag-agent", query_id: "weather", version: "v1-broken", metadata: { precheck_passed: true } },
    { version: "v2-fixed" },
  ]);
});

describe("diff", () => {
  test("says as JSON what changed, unrounded", async () => {
    const { stdout } = await diff("--baseline", "v1-broken", "--compare", "v2-fixed", "--format", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { queries: 1, changed: 1, regressed: 0, exit_code: 0 },
      queries: [
        {
          query_id: "weather",
          correctness: { before: "pass", after: "pass", changed: false },
          path: { tool_calls: { before: 11, after: 0, percent: -100, direction: "down" } },
          cost: { total_tokens: { before: 4200, after: 180, direction: "down" } },
        },
      ],
    });
  });

  test("--fail-on regression names the version without saved runs", async () => {
    const { stdout } =
      await cli`test ${fixed} ${spec} --baseline v9 --baseline-dir ${dir} --fail-on regression --judge off`;
    expect(stdout).toContain("no run has a saved run of version v9 to compare with");
  });

  test("takes dumps and files in place of versions", async () => {
    const { code, stdout } = await diff(
      ...argv`--baseline ${fixed} --compare v2-fixed ${spec} --judge off --format json`,
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).queries[0].differences).toEqual([]);
    const file = join(dir, "rag-agent/weather/v2-fixed.json");
    expect((await diff("--baseline", file, "--compare", "v2-fixed")).code).toBe(0);
  });

  test("can not tell where a version is not there", async () => {
    const { code, stdout, stderr } = await diff("--baseline", "v9", "--compare", "v2-fixed");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/v1-broken, v2-fixed/);
  });
});

describe("test --baseline", () => {
  const against = (dump: string, version: string, ...more: string[]) =>
    runCliWith(
      {},
      ...argv`test ${dump} ${spec} --baseline ${version} --baseline-dir ${dir} --judge off --query weather
        ${more}`,
    );

  test.each([
    ["weather", fixed, "v2-fixed", 0],
    ["weather that is wrong", broken, "v1-broken", 1],
  ])("what was saved differs in nothing: %s", async (_, dump, version, code) => {
    const ran = await against(dump, version, "--format", "json");
    const result = resultSchema.parse(JSON.parse(ran.stdout));
    expect(ran.code).toBe(code);
    const compared = { version, variant: 1, regressed: false, undecided: false };
    const verdicts = [{ verdict_id: result.verdicts[0]?.verdict_id, ...compared }];
    expect(result.baseline).toEqual({ compared: 1, regressed: 0, verdicts, differences: [] });
    expect(result.verdicts[0]?.metrics).toMatchObject({
      cost_multiplier: 1,
      sequence_similarity: 1,
      tool_recall: 1,
    });
  });

  test("what got worse is told, and fails where that is asked for", async () => {
    const ran = await against(broken, "v2-fixed", "--format", "json");
    const { baseline } = resultSchema.parse(JSON.parse(ran.stdout));
    expect(baseline).toMatchObject({ compared: 1, regressed: 1 });
    expect(baseline?.differences.map(({ type }) => type)).toContain("REGRESSION");
    expect((await against(broken, "v2-fixed", "--fail-on", "regression")).stdout).toMatch(/1 run regressed/);
  });
});

test("queries of two specs with one id and different texts are not saved in one file", async () => {
  const folder = temporaryFolder();
  const specs = ["Hi", "Bye"].map((query) =>
    temporaryFile("spec.yaml", `agent: shop\nqueries: [{ id: q, query: ${query} }]\n`),
  );
  const dump = temporaryFile("dump.jsonl", agentDump([{ query: "Hi" }, { query: "Bye" }]));
  const given = specs.flatMap((file) => ["--spec", file]);
  const done = await cli`save ${dump} ${given} --version v1 --baseline-dir ${folder} --no-config`;
  expect([done.code, done.stdout]).toEqual([2, expect.stringContaining("has the same id")]);
  expect(readFileSync(join(folder, "shop/q/v1.json"), "utf8")).toContain('"query": "Hi"');
});

test("an accepted variant is as good as the first", async () => {
  expect((await save(broken, "v2-fixed", "--variant", "--force-save")).code).toBe(0);
  const { stdout } = await cli`test ${broken} ${spec} --baseline v2-fixed --baseline-dir ${dir} --judge off
    --query weather --format json`;
  expect(resultSchema.parse(JSON.parse(stdout)).baseline).toMatchObject({ differences: [], regressed: 0 });
});

test("a new variant takes the lowest number that is free", async () => {
  const add = () => save(broken, "v7", "--variant", "--force-save");
  for (let variant = 1; variant <= 5; variant++) expect((await add()).code).toBe(0);
  const refused = await add();
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("has 5 variants already");
  const third = join(dir, "rag-agent", "weather", "v7~3.json");
  rmSync(third);
  expect((await add()).stdout).toContain(third);
});
