import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { verdictsOfVersions, type VersionRun } from "../support/runs-of-versions.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let files = 0;

interface Compared {
  readonly metric: string;
  readonly test: string | null;
  readonly p: number | null;
  readonly p_adjusted: number | null;
  readonly effect: number | null;
  readonly queries: number;
  readonly higher: number;
  readonly lower: number;
  readonly equal: number;
  readonly mean_a: number | null;
  readonly mean_b: number | null;
  readonly difference: { mean: number; standard_error: number | null } | null;
  readonly change: { scale: string; estimate: number; low: number | null; high: number | null } | null;
  readonly reason: string | null;
}

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
  const comparisons = across.comparisons as readonly Compared[];
  const of = (metric: string) => comparisons.find((one) => one.metric === metric);
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

  test("many runs of a query do not make up for few queries", async () => {
    // Half of the queries got better, half worse, in a hundred runs each: pooled, that would be beyond doubt.
    const runs = Array.from({ length: 6 }, (_, query) =>
      versions.flatMap((version) =>
        Array.from({ length: 50 }, (_, run) => ({
          version,
          query: `q${query}`,
          passed: version === "1.0" ? run < 25 : run < (query < 4 ? 50 : 5),
        })),
      ),
    ).flat();
    const { of } = await reportOf(runs);

    expect(of("pass_rate")).toMatchObject({ test: "wilcoxon_signed_rank", queries: 6, higher: 4, lower: 2 });
    expect(of("pass_rate")?.p).toBeGreaterThan(0.05);
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

  test("errors of a rate over several queries are clustered by query", async () => {
    // Each query always passes or always fails: eighty runs are worth no more than eight.
    const runs = Array.from({ length: 8 }, (_, query) =>
      Array.from({ length: 10 }, () => ({ version: "1.0", query: `q${query}`, passed: query < 4 })),
    ).flat();
    const { groups } = await reportOf(runs);

    expect(groups[0].pass_rate.clustered).toMatchObject({
      queries: 8,
      standard_error: expect.closeTo(Math.sqrt(0.25 / 7), 12),
    });
    expect(groups[0].pass_rate.high - groups[0].pass_rate.low).toBeLessThan(
      groups[0].pass_rate.clustered.high - groups[0].pass_rate.clustered.low,
    );
  });
});

describe("report: which statistics, and how", () => {
  test("--adjust holm, bh and bonferroni correct the same p-values in their own ways", async () => {
    const adjusted = await Promise.all(
      ["holm", "bh", "bonferroni"].map(async (method) => {
        const { of } = await reportOf(dearer(1.2), "--adjust", method);
        return [of("cost_usd")?.p_adjusted, of("latency_ms")?.p_adjusted];
      }),
    );

    // Pass rate, cost and latency are compared; only the cost differs.
    expect(adjusted).toEqual([
      [3 / 128, 1],
      [3 / 128, 1],
      [3 / 128, 1],
    ]);
    const two = dearer(1.2).map((run) => ({ ...run, latencyMs: run.version === "2.0" ? 2000 : 1000 }));
    const of = async (method: string) => (await reportOf(two, "--adjust", method)).of("cost_usd")?.p_adjusted;
    expect(await of("holm")).toBeCloseTo(3 / 128, 12);
    expect(await of("bh")).toBeCloseTo(1.5 / 128, 12);
    expect(await of("bonferroni")).toBeCloseTo(3 / 128, 12);
  });

  test("--percentile nearest gives values that were measured, linear those in between", async () => {
    const runs = [10, 20, 30, 40].map((latencyMs) => ({ version: "1.0", query: "q", latencyMs }));
    const nearest = (await reportOf(runs, "--percentile", "nearest")).groups[0].metrics.latency_ms;
    const linear = (await reportOf(runs)).groups[0].metrics.latency_ms;

    expect([nearest.p25, nearest.p50, nearest.p95]).toEqual([10, 20, 40]);
    expect([linear.p25, linear.p50, linear.p95]).toEqual([17.5, 25, expect.closeTo(38.5, 12)]);
  });

  test("--interval z is mean ± z·s/√n, of rates and of means; wilson is the default", async () => {
    const runs = Array.from({ length: 10 }, (_, at) => ({
      version: "1.0",
      query: "q",
      passed: at < 8,
      costUsd: at / 10,
    }));
    const { pass_rate: z, metrics } = (await reportOf(runs, "--interval", "z")).groups[0];
    const { pass_rate: wilson } = (await reportOf(runs)).groups[0];

    expect(z.low).toBeCloseTo(0.8 - 1.959964 * Math.sqrt(1.6 / 9 / 10), 6);
    expect(metrics.cost_usd.interval.high).toBeCloseTo(0.45 + 1.959964 * Math.sqrt(0.825 / 9 / 10), 6);
    expect(wilson.low).toBeCloseTo(0.4901625, 6);
  });

  test("--statistics full adds sensitivity, transitions, ablation, best value and power", async () => {
    const runs = dearer(1.2).flatMap((run, at) =>
      Array.from({ length: 5 }, (_, again) => ({
        ...run,
        passed: run.version === "1.0" ? true : (at + again) % 4 === 0,
      })),
    );
    const { statistics } = await reportOf(runs, "--statistics", "full");

    expect(statistics).toMatchObject({
      sensitivity: { pass_rate: "high" },
      transitions: [
        { from: "1.0", to: "2.0", worthwhile: false },
        { from: "2.0", to: "1.0", worthwhile: true },
      ],
      ablation: [{ key: "2.0", impact: "critical" }],
      best_value: { key: "1.0" },
      judges: [],
    });
    const power = statistics.power.find((one: { metric: string }) => one.metric === "cost_usd");
    expect(power).toMatchObject({ a: "1.0", b: "2.0" });
    expect(power.small).toBeLessThan(power.large);
    const shown = await shownOf(runs, "--statistics", "full");
    for (const title of [
      "Dependence of rates on the group",
      "Changes from group to group",
      "Probability of detecting a difference",
    ]) {
      expect(shown).toContain(title);
    }
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
        const judge = {
          rubric: "polite",
          model: "m0",
          score: 4,
          label: null,
          rationale: null,
          votes,
          duration_ms: 1,
          cached: false,
          prompt_hash: "0",
        };
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
