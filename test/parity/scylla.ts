import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import type { DumpedRun } from "./agent-dump.ts";
import { type Bench, matches, type Proof, type Section, specOf } from "./harness.ts";

const blocks = "correctness: { not_in_answer: [sorry] }";
const passed: DumpedRun = {};
const failed: DumpedRun = { answer: "Sorry." };

function times(count: number, run: DumpedRun): DumpedRun[] {
  return Array.from({ length: count }, () => run);
}

/** The run in a version, whose calls are so much longer. */
function versioned(version: string, run: DumpedRun, factor = 1): DumpedRun {
  const calls = [{ input: 100 * factor, output: 20 * factor }];
  return { calls, ...run, resource: { "service.version": version } };
}

function reported(bench: Bench, runs: readonly DumpedRun[], ...words: readonly string[]) {
  return bench.report(blocks, runs, ...words);
}

const byVersion = ["--group-by", "service.version", "--base", "T0", "--statistics", "full"];

const criteria =
  "criteria: [{ id: right, text: is right, weight: 2 }, { id: short, text: is short, kind: binary }, { id: tested, text: is tested }]";
const scored = (...scores: (number | null)[]) =>
  completion({
    rationale: "r",
    criteria: ["right", "short", "tested"].map((id, at) => ({
      id,
      reason: "r",
      applicable: scores[at] !== null,
      score: scores[at] ?? null,
    })),
  });

/** `serve` sends a digest to Slack, and takes what became of a run's changes. */
export const served: Proof = async (bench) => {
  const { received, url: hook } = await bench.judge(() => ({ body: "ok" }));
  const more = `export: { webhook: [{ url: "${hook}/slack", format: slack }] }
security: { allowed_networks: [127.0.0.0/8] }
`;
  const url = await bench.serve(failed, specOf(blocks), more);
  await expect.poll(() => received.length).toBeGreaterThan(0);
  expect(JSON.stringify(received[0]?.body)).toMatch(/blocks.*not_in_answer/);

  const { runs } = (await (await fetch(`${url}/api/v1/runs`)).json()) as { runs: { run_id: string }[] };
  const changes = { total: 4, failed: 1, reverted: 2 };
  const posted = await fetch(`${url}/api/v1/annotations`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ run_id: runs[0]?.run_id, changes }),
  });
  expect(posted.status).toBe(201);
  expect(await (await fetch(`${url}/api/v1/changes`)).text()).toMatch(/"cfp":0\.25/);
};

export const scylla: Section = {
  "pass rate, implementation rate, cost per pass, composite": async (bench) => {
    const { groups } = await reported(bench, [...times(4, passed), failed]);
    const mean = Number(groups[0]?.metrics["cost_usd"]?.["mean"]);
    matches(groups[0], {
      pass_rate: { mean: 0.8 },
      cost_of_pass: expect.closeTo(mean / 0.8, 12),
      grade: "C",
    });
    await bench.judge(() => scored(1, 1, 0.4));
    const { metrics, checks } = await bench.test(`correctness: { llm_judge: [{ ${criteria} }] }`, {});
    matches(checks["llm_judge"], { metric: "impl_rate", value: expect.closeTo(0.85, 12) });
    expect(metrics).toBeDefined();
  },
  "mean, deviation and other aggregates over runs": async (bench) => {
    const { groups } = await reported(bench, [...times(8, passed), ...times(2, failed)]);
    matches(groups[0]?.pass_rate, {
      mean: 0.8,
      median: 1,
      mode: 1,
      std_dev: expect.closeTo(0.4, 12),
      sample_std_dev: expect.closeTo(Math.sqrt(1.6 / 9), 12),
    });
  },
  "grades, uplift, variance over groups": async (bench) => {
    const runs = [
      ...times(7, versioned("T0", passed)),
      ...times(3, versioned("T0", failed)),
      ...times(9, versioned("T1", passed)),
      versioned("T1", failed),
    ];
    const { groups, across } = await reported(bench, runs, ...byVersion);
    expect(groups.map(({ grade }) => grade)).toEqual(["D", "B"]);
    expect(groups[1]?.uplift?.["pass_rate"]).toBeCloseTo(0.2 / 0.7, 12);
    expect(across.variance["pass_rate"]).toBeCloseTo(0.01, 12);
  },
  "grades from the median composite. ProjectScylla's pages give the limits A ≥ .95 … F, its code S and A ≥ .80 …":
    async (bench) => {
      const { groups } = await reported(bench, [...times(6, passed), ...times(4, failed)]);
      matches(groups[0], { grade: "F", pass_rate: { median: 1, mean: 0.6 } });
    },
  "the statistical mode is the smallest value on ties, and 0.0 for empty input": async (bench) => {
    const { groups } = await reported(bench, [passed, failed]);
    expect(groups[0]?.pass_rate["mode"]).toBe(0);
    expect(groups[0]?.metrics["tool_recall"]?.["mode"]).toBeNull();
  },
  "nearest-rank latency percentiles": async (bench) => {
    const runs = [1000, 2000, 3000, 4000, 5000].map((durationMs) => ({ durationMs }));
    const { groups } = await reported(bench, runs, "--percentile", "nearest");
    matches(groups[0]?.metrics["latency_ms"], { p50: 3000, p95: 5000, p99: 5000 });
  },
  "best-value group by composite over cost": async (bench) => {
    const runs = [...times(3, versioned("T0", passed)), ...times(3, versioned("T1", passed, 3))];
    const { statistics, across } = await reported(bench, runs, ...byVersion);
    expect(statistics?.best_value.key).toBe("T0");
    expect(across.frontier_cost_of_pass.key).toBe("T0");
  },
  "frontier, consistency": async (bench) => {
    const runs = [...times(2, versioned("T0", passed, 2)), versioned("T1", passed), versioned("T1", passed)];
    const { groups, across } = await reported(bench, [...runs, versioned("T2", failed)], ...byVersion);
    expect(across.frontier_cost_of_pass.key).toBe("T1");
    expect(groups.map(({ consistency }) => consistency)).toEqual([1, 1, null]);
  },
  "sensitivity, transitions, ablation": async (bench) => {
    const runs = [
      ...times(4, versioned("T0", passed)),
      ...times(2, versioned("T1", passed)),
      ...times(2, versioned("T1", failed)),
    ];
    const { statistics } = await reported(bench, runs, ...byVersion);
    matches(statistics, {
      sensitivity: { pass_rate: "medium" },
      transitions: [
        { from: "T0", to: "T1", quality_gain: -0.5, cost_increase: expect.closeTo(0, 12), worthwhile: false },
        { from: "T1", to: "T0", quality_gain: 0.5, worthwhile: true },
      ],
      ablation: [{ key: "T1", loss: 0.5, impact: "critical" }],
    });
  },
  "change fail percentage and revert rate from signals after the run": served,
  "ten weighted judge categories": async (bench) => {
    await bench.judge(({ body }) => {
      const ids = /"enum":(\["[a-z_]+"(?:,"[a-z_]+")+\])/.exec(JSON.stringify(body))?.[1] ?? "[]";
      const names = JSON.parse(ids) as string[];
      const all = names.map((id) => ({
        id,
        reason: "r",
        applicable: true,
        score: id === "functional_correctness" ? 0 : 1,
      }));
      return completion({ rationale: "r", criteria: all });
    });
    const { checks } = await bench.test("correctness: { llm_judge: [{ rubric: work_quality@1 }] }", {
      tools: ["edit_file"],
    });
    // All of 9.5 but the weight of functional correctness, 2.
    expect(checks["llm_judge"]?.value).toBeCloseTo(7.5 / 9.5, 9);
  },
  "the power of a test is simulated": async (bench) => {
    const runs = ["T0", "T1"].flatMap((version) => times(10, versioned(version, passed)));
    const { statistics } = await reported(bench, runs, ...byVersion);
    const [power] = statistics?.power ?? [];
    matches(power, { a: "T0", b: "T1", small: expect.any(Number), large: expect.any(Number) });
    expect(power?.large).toBeGreaterThan(power?.small ?? NaN);
  },
  "bootstrap, Mann–Whitney, Kruskal–Wallis, corrections, alpha, kappa": async (bench) => {
    const runs = ["T0", "T1", "T2"].flatMap((version, at) =>
      [1, 2, 3, 4].map((step) => ({ ...versioned(version, passed), durationMs: 1000 * (at + 1) + step })),
    );
    const { groups, across, statistics } = await reported(
      bench,
      runs,
      ...byVersion,
      "--adjust",
      "bonferroni",
    );
    const compared = across.comparisons.find(({ b, metric }) => b === "T2" && metric === "latency_ms");
    // 4 values against 4, all larger: 2/70; of 8 comparisons.
    matches(compared, { test: "mann_whitney", p: expect.closeTo(2 / 70, 12), effect: 1, magnitude: "large" });
    expect(compared?.p_adjusted).toBeGreaterThan(compared?.p ?? NaN);
    expect(across.omnibus).toContainEqual(
      expect.objectContaining({
        metric: "latency_ms",
        test: "kruskal_wallis",
        statistic: expect.closeTo(9.846, 3),
      }),
    );
    expect(groups[0]?.metrics["latency_ms"]?.["interval"]).toMatchObject({ low: expect.any(Number) });
    expect(statistics?.judges).toEqual([]);
  },
  "confidence intervals with the stated coverage": async (bench) => {
    const { groups } = await reported(bench, [...times(8, passed), ...times(2, failed)]);
    matches(groups[0]?.pass_rate, { low: expect.closeTo(0.4901625, 6), high: expect.closeTo(0.9433178, 6) });
  },
  "Cliff's delta limits 0.11, 0.28, 0.43": async (bench) => {
    const runs = [
      ...times(10, versioned("T0", passed)),
      ...times(7, versioned("T1", passed)),
      ...times(3, versioned("T1", failed)),
    ];
    const { across } = await reported(bench, runs, ...byVersion);
    matches(across.comparisons[0], {
      metric: "pass_rate",
      effect: expect.closeTo(-0.3, 12),
      magnitude: "medium",
    });
  },
};
