import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { verdictsOfVersions, type VersionRun } from "../support/runs-of-versions.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let files = 0;

function fileOf(runs: readonly VersionRun[]): string {
  const file = join(folder, `${++files}.jsonl`);
  writeFileSync(
    file,
    verdictsOfVersions(runs)
      .map((verdict) => `${JSON.stringify(verdict)}\n`)
      .join(""),
  );
  return file;
}

async function reportOf(runs: readonly VersionRun[], ...words: readonly string[]) {
  const against = ["--group-by", "service.version", "--base", "1.0"];
  const ran = await runCli("report", fileOf(runs), ...against, "--format", "json", ...words);
  const { groups, across, statistics } = JSON.parse(ran.stdout);
  const of = (metric: string) => across.comparisons.find((one: { metric: string }) => one.metric === metric);
  return { groups, across, statistics, of };
}

async function shownOf(runs: readonly VersionRun[], ...words: readonly string[]): Promise<string> {
  const against = ["--group-by", "service.version", "--base", "1.0"];
  return (await runCli("report", fileOf(runs), ...against, ...words)).stdout;
}

const versions = ["1.0", "2.0"] as const;
/** From a cent to a dollar and more: what differs between queries is far more than a fifth. */
const costs = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2];

/** One run of each query and version; version 2.0 costs so much more. */
function dearer(by: number): VersionRun[] {
  return costs.flatMap((cost, at) =>
    versions.map((version) => ({
      version,
      query: `q${at}`,
      costUsd: version === "2.0" ? cost * by : cost,
    })),
  );
}

describe("report --base compares per query", () => {
  test("eight queries that each cost 20 % more are a difference, p = 0.008", async () => {
    const { of } = await reportOf(dearer(1.2));

    expect(of("cost_usd")).toMatchObject({
      p: 0.0078125,
      queries: 8,
      higher: 8,
      lower: 0,
      equal: 0,
      effect: 1,
      change: {
        scale: "ratio",
        estimate: expect.closeTo(0.2, 9),
        low: expect.closeTo(0.2, 9),
        high: expect.closeTo(0.2, 9),
      },
    });
    expect(of("cost_usd")?.p_adjusted).toBeLessThan(0.05);
    const shown = await shownOf(dearer(1.2));
    expect(shown).toMatch(/^\* +cost usd .*\+20% \(\+20% to \+20%\) +8 higher +0\.008/m);
    expect(shown).not.toMatch(/No difference between groups/);
  });

  test("the table shows what is tested: the change per query, not pools of different queries", async () => {
    // 2.0 is cheaper in each of the six queries, but has far more runs of the dear one.
    const runs = costs.slice(0, 6).flatMap((cost, at) => [
      { version: "1.0", query: `q${at}`, costUsd: cost },
      ...Array.from({ length: at === 5 ? 20 : 1 }, () => ({
        version: "2.0",
        query: `q${at}`,
        costUsd: cost * 0.9,
      })),
    ]);
    const { groups, of } = await reportOf(runs);

    expect(groups[1].metrics.cost_usd.mean).toBeGreaterThan(groups[0].metrics.cost_usd.mean);
    expect(of("cost_usd")).toMatchObject({ lower: 6, higher: 0, p: 0.03125, effect: -1 });
    expect(of("cost_usd")?.change?.estimate).toBeCloseTo(-0.1, 9);
    expect(groups[1].uplift.cost_usd).toBeCloseTo(-0.1, 9);
    expect(await shownOf(runs)).toMatch(/cost usd +\$0\.146667 +\$0\.132 +−10% \(−10% to −10%\) +6 lower/);
  });

  test("one run a query and side: the pass rate is tested by the exact sign test", async () => {
    const runs = Array.from({ length: 10 }, (_, at) => [
      { version: "1.0", query: `q${at}`, passed: at < 2 },
      { version: "2.0", query: `q${at}`, passed: at < 9 },
    ]).flat();
    const { of } = await reportOf(runs);

    // Seven queries differ, all for the better: 2 / 2^7.
    expect(of("pass_rate")).toMatchObject({ test: "sign", p: 2 / 128, higher: 7, lower: 0, equal: 3 });
    expect(of("pass_rate")?.effect).toBeCloseTo(0.7, 12);
    expect(of("pass_rate")?.difference?.standard_error).toBeCloseTo(Math.sqrt((0.7 * 0.3) / 9), 12);
  });

  test("fewer than six queries: runs are tested, each against runs of its own query", async () => {
    const runs = ["easy", "hard"].flatMap((query, at) =>
      versions.flatMap((version) =>
        Array.from({ length: 8 }, (_, run) => ({
          version,
          query,
          costUsd: (at === 0 ? 0.01 : 1) * (version === "2.0" ? 1.5 : 1) + run * 0.0001,
          passed: run < (version === "2.0" ? 7 : 3),
        })),
      ),
    );
    const { of } = await reportOf(runs);

    expect(of("cost_usd")).toMatchObject({ test: "stratified_mann_whitney", queries: 2, effect: 1 });
    expect(of("cost_usd")?.p).toBeLessThan(1e-6);
    expect(of("pass_rate")).toMatchObject({ test: "stratified_fisher", effect: 0.5 });
    expect(of("pass_rate")?.p).toBeLessThan(0.02);
  });

  test("queries of one side only are left out, and the output says so", async () => {
    const more = [
      ...dearer(1.2),
      { version: "1.0", query: "old", costUsd: 9 },
      { version: "2.0", query: "new", costUsd: 90 },
    ];
    const { of, across } = await reportOf(more);

    expect(of("cost_usd")).toMatchObject({ queries: 8, p: 0.0078125 });
    expect(across.pairs).toMatchObject([{ queries: 8, only_a: 1, only_b: 1, overlap: 0 }]);
    expect(await shownOf(more)).toMatch(/left out: 2 queries with runs in only one group/);
  });

  test("without a query on both sides there is no p-value, and the reason is given", async () => {
    const runs = [
      { version: "1.0", query: "a", costUsd: 1 },
      { version: "2.0", query: "b", costUsd: 2 },
    ];
    const { groups, of } = await reportOf(runs);

    expect(of("cost_usd")).toMatchObject({
      test: null,
      p: null,
      effect: null,
      reason: "no query has runs in both groups",
    });
    expect(groups[1].uplift).toEqual({ pass_rate: null, cost_usd: null, composite: null });
    expect(await shownOf(runs)).toMatch(/no query has runs in both groups/);
  });

  test('runs of "*" are paired by their text, case, white space and end punctuation aside', async () => {
    const runs = costs.flatMap((cost, at) => [
      { version: "1.0", query: `Where is order ${at}?`, costUsd: cost, isWildcard: true },
      { version: "2.0", query: `where is  order ${at}`, costUsd: cost * 1.2, isWildcard: true },
    ]);
    const { of } = await reportOf(runs);

    expect(of("cost_usd")).toMatchObject({ queries: 8, p: 0.0078125 });
  });

  test("three versions at once are tested in blocks of a query each", async () => {
    const runs = [
      ...dearer(1.2),
      ...costs.map((cost, at) => ({ version: "3.0", query: `q${at}`, costUsd: 2 * cost })),
    ];
    const { across } = await reportOf(runs);

    expect(across.omnibus).toContainEqual(
      expect.objectContaining({ metric: "cost_usd", test: "friedman", statistic: 16, degrees: 2 }),
    );
  });
});

describe("report: which statistics, and how", () => {
  test.each([
    ["holm", 3 / 128],
    ["bh", 1.5 / 128],
    ["bonferroni", 3 / 128],
  ])(
    "--adjust %s corrects the p-values of two measures of three in its own way",
    async (method, adjusted) => {
      const two = dearer(1.2).map((run) => ({ ...run, latencyMs: run.version === "2.0" ? 2000 : 1000 }));
      const { of } = await reportOf(two, "--adjust", method);
      expect(of("cost_usd")?.p_adjusted).toBeCloseTo(adjusted, 12);
    },
  );

  test("--statistics full adds sections, and the power for more and less of a difference", async () => {
    const runs = dearer(1.2).map((run, at) => ({ ...run, passed: run.version === "1.0" || at % 4 === 0 }));
    const { statistics } = await reportOf(runs, "--statistics", "full");
    const power = statistics.power.find((one: { metric: string }) => one.metric === "cost_usd");
    expect(power.small).toBeLessThan(power.large);
    expect(await shownOf(runs, "--statistics", "full")).toMatch(
      /Dependence of rates on the group[^]*Changes from group to group[^]*Probability of detecting/,
    );
    expect((await reportOf(runs)).statistics).toBeUndefined();
  });

  test("--statistics full gives Krippendorff's alpha of the judges of each rubric", async () => {
    const scores = [
      [5, 5, 5],
      [4, 4, 5],
      [1, 2, 1],
      [3, 3, null],
      [2, 2, 1],
    ];
    const verdicts = verdictsOfVersions(scores.map(() => ({ version: "1.0", query: "q" }))).map(
      (verdict, at) => {
        const [check] = verdict.layers.correctness.checks;
        if (check === undefined) throw new Error("no check");
        const votes = (scores[at] ?? []).map((score, judge) => ({
          model: `m${judge}`,
          score,
          label: null,
          rationale: null,
          error: score === null ? "timeout" : null,
        }));
        const said = { rubric: "polite", model: "m0", score: 4, label: null, rationale: null };
        const judge = { ...said, votes, duration_ms: 1, cached: false, prompt_hash: "0" };
        const correctness = { ...verdict.layers.correctness, checks: [{ ...check, judge }] };
        return { ...verdict, layers: { ...verdict.layers, correctness } };
      },
    );
    const file = join(folder, "judged.jsonl");
    writeFileSync(file, verdicts.map((verdict) => JSON.stringify(verdict)).join("\n"));
    const { stdout } = await runCli("report", file, "--statistics", "full", "--format", "json");

    // krippendorff 0.9.0 gives this alpha for ordinal scores.
    expect(JSON.parse(stdout).statistics.judges).toEqual([
      { rubric: "polite", runs: 5, ratings: 14, alpha: expect.closeTo(0.8847290640394089, 9) },
    ]);
  });
});
