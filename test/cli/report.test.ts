import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import { evaluated } from "../support/evaluated.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const weather = [
  "test/fixtures/runs/rag-weather-broken.langgraph.jsonl",
  "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl",
];
const folder = temporaryFolder();

/** Verdicts of two versions, four of five and one of five passed. */
const verdicts = ["1.0", "2.0"].flatMap((version, at) =>
  Array.from({ length: 5 }, (_, run) =>
    verdictJson(
      evaluated(
        { id: "order", correctness: { expected_in_answer: ["way"] } },
        {
          runId: `${version}-${run}`,
          answer: (at === 0 ? run < 4 : run < 1) ? "On its way." : "No.",
          attributes: { "service.version": version },
          usage: { input: 100 * (at + 1), output: 10 * run },
        },
      ),
    ),
  ),
);

const lines = join(folder, "verdicts.jsonl");
writeFileSync(lines, verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(""));

test("judges dumps and reports their groups", async () => {
  const words = ["report", ...weather, "--spec", "specs/rag-agent.yaml", "--judge", "off"];
  const { code, stdout } = await runCli(...words, "--format", "json");
  const { group_by, groups } = JSON.parse(stdout);

  expect({ code, group_by }).toEqual({ code: 0, group_by: "query" });
  expect(groups).toMatchObject([{ key: "weather", runs: 2, passed: 1, failed: 1, pass_rate: { mean: 0.5 } }]);
});

test.each(["query", "model", "agent"])(
  "gives the same report by %s of results and of dumps of the same runs",
  async (groupBy) => {
    const judged = ["--spec", "specs/rag-agent.yaml", "--judge", "off"];
    const test = await runCli("test", ...weather, ...judged, "--format", "json");
    const result = join(folder, "result.json");
    writeFileSync(result, JSON.stringify(JSON.parse(test.stdout), null, 2));
    const words = ["--group-by", groupBy, "--format", "json"];
    const fromResult = await runCli("report", result, ...words);
    const fromDumps = await runCli("report", ...weather, ...judged, ...words);
    const both = await runCli("report", result, ...weather, ...judged, ...words);

    expect(JSON.parse(fromResult.stdout)).toEqual(JSON.parse(fromDumps.stdout));
    expect(JSON.parse(fromDumps.stdout).groups[0]).toMatchObject({
      flaky: true,
      flip_source: "agent",
      flakiness: { score: expect.any(Number) },
    });
    expect(JSON.parse(both.stdout)).toEqual(JSON.parse(fromDumps.stdout));
  },
);

test("groups by an attribute and compares with the base", async () => {
  const words = ["report", lines, "--group-by", "service.version", "--base", "1.0"];
  const { stdout } = await runCli(...words, "--format", "json");
  const { base, groups, across } = JSON.parse(stdout);

  expect(base).toBe("1.0");
  expect(groups).toMatchObject([
    { key: "1.0", runs: 5, passed: 4, pass_rate: { mean: 0.8 }, pass_at_k: { "5": 1 } },
    {
      key: "2.0",
      runs: 5,
      passed: 1,
      pass_rate: { mean: 0.2 },
      uplift: { pass_rate: expect.closeTo(-0.75, 12) },
    },
  ]);
  expect(across.comparisons).toContainEqual(
    expect.objectContaining({ a: "1.0", b: "2.0", metric: "pass_rate" }),
  );
  expect((await runCli(...words)).stdout).toMatch(/1\.0 .*80%[\s\S]*2\.0 .*20%/);
});

test("of a verdict that was revised only the newest revision counts", async () => {
  const revised = join(folder, "revised.jsonl");
  const [first] = verdicts;
  const revisions = [
    { ...first, revision: 1, outcome: "incomplete" },
    { ...first, revision: 2 },
  ];
  writeFileSync(revised, revisions.map((it) => JSON.stringify(it)).join("\n"));
  const { stdout } = await runCli("report", revised, "--format", "json");

  expect(JSON.parse(stdout).groups).toMatchObject([{ runs: 1, passed: 1, undecided: 0 }]);
});

test.each([
  ["a base that is no group", [lines, "--group-by", "service.version", "--base", "3.0"], /"1\.0", "2\.0"/],
  ["an attribute that no run has", [lines, "--group-by", "vcs.branch"], /10 judged runs have no vcs\.branch/],
  ["models, where no run has one", [lines, "--group-by", "model"], /10 judged runs have no model/],
])("%s is exit code 2 and says why", async (_, words, said) => {
  const { code, stderr } = await runCli("report", ...words);

  expect(code).toBe(2);
  expect(stderr).toMatch(said);
});

test("a gate of the spec decides the exit code of a report of results, too", async () => {
  const spec = join(folder, "gated-result.yaml");
  writeFileSync(
    spec,
    `version: 1
agent: "*"
queries: [{ query: "*", id: any, reliability: { min_pass_rate: 0.9 }, path: { max_tool_calls: 0 }, severity: { path: fail } }]
`,
  );
  const result = join(folder, "gated.json");
  await runCli("test", ...weather, "--spec", spec, "--output", `json=${result}`);
  const { code, stdout } = await runCli("report", result, "--format", "json");

  expect({ code, gate: JSON.parse(stdout).groups[0].gate.outcome }).toEqual({ code: 1, gate: "fail" });
});

test("a gate of the spec decides the exit code of a report by query", async () => {
  const spec = join(folder, "gated.yaml");
  const gate = (least: number) =>
    writeFileSync(
      spec,
      `version: 1
agent: "*"
queries:
  - query: "*"
    id: any
    reliability: { min_pass_rate: ${least} }
    path: { max_tool_calls: 0 }
    severity: { path: fail }
`,
    );
  gate(0.5);
  expect(await runCli("report", ...weather, "--spec", spec)).toMatchObject({ code: 0 });
  gate(0.9);
  expect(await runCli("report", ...weather, "--spec", spec)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/gate: fail/),
  });
  expect(await runCli("test", ...weather, "--spec", spec)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/Reliability/),
  });
});
