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

test("gives the same report of results and of dumps of the same runs, by whatever they are grouped", async () => {
  const judged = ["--spec", "specs/rag-agent.yaml", "--judge", "off"];
  const result = join(folder, "result.json");
  await runCli("test", ...weather, ...judged, "--output", `json=${result}`);
  for (const groupBy of ["query", "model", "agent"]) {
    const report = async (...input: readonly string[]): Promise<{ groups: unknown[] }> =>
      JSON.parse((await runCli("report", ...input, "--group-by", groupBy, "--format", "json")).stdout);
    const fromDumps = await report(...weather, ...judged);

    expect(fromDumps.groups[0]).toMatchObject({
      flaky: true,
      flip_source: "agent",
      flakiness: { score: expect.any(Number) },
    });
    expect(await report(result)).toEqual(fromDumps);
    expect(await report(result, ...weather, ...judged)).toEqual(fromDumps);
  }
});

test("--since that leaves out every run names the newest run", async () => {
  const { code, stderr } = await runCli("report", ...weather, "--since", "2999-01-01", "--judge", "off");
  expect(code).toBe(2);
  expect(stderr).toMatch(/--since 2999-01-01 leaves out all \d+ judged runs: the newest began at 20\d\d-/);
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
  [
    "an attribute that no run has",
    [lines, "--group-by", "vcs.branch"],
    /10 judged runs have no vcs\.branch and are left out; they can be grouped by query, agent, model and service\.version; /,
  ],
  ["models, where no run has one", [lines, "--group-by", "model"], /10 judged runs have no model/],
])("%s is exit code 2 and says why", async (_, words, said) => {
  const { code, stderr } = await runCli("report", ...words);

  expect(code).toBe(2);
  expect(stderr).toMatch(said);
});
