import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import { reportJson } from "../../src/report/render/json/report-json.ts";
import type { Observation } from "../../src/report/statistics/observation.ts";
import type { ReliabilityLimits } from "../../src/report/statistics/groups/reliability.ts";
import type { ReportOptions } from "../../src/report/statistics/report/report-options.ts";
import { summarize } from "../../src/report/statistics/report/report.ts";

const options: ReportOptions = { groupBy: "model", base: null };

function runs(key: string, outcomes: readonly Outcome[], metrics: (index: number) => object = () => ({})) {
  return outcomes.map((outcome, index): Observation => {
    const values = Object.entries(metrics(index)) as [string, number | null][];
    return { key, outcome, metrics: new Map(values) };
  });
}

function many(count: number, outcome: Outcome): Outcome[] {
  return Array.from({ length: count }, () => outcome);
}

const eightOfTen = [...many(6, "pass"), ...many(2, "warn"), ...many(2, "fail")];

function gated(limits: ReliabilityLimits, observations: readonly Observation[]): Observation[] {
  return observations.map((run) => ({ ...run, gate: { key: "m", isMixed: false, name: "m", limits } }));
}

function only(observations: readonly Observation[], settings: Partial<ReportOptions> = {}) {
  const [group] = summarize(observations, { ...options, ...settings }).groups;
  if (group === undefined) throw new Error("no group");
  return group;
}

describe("one group of runs", () => {
  it("nothing decided: everything is unknown", () => {
    const group = only(runs("m", ["incomplete", "skip"]));
    expect(group.passRate).toEqual({
      mean: null,
      median: null,
      mode: null,
      stdDev: null,
      sampleStdDev: null,
      low: null,
      high: null,
      confidence: 0.95,
    });
    expect(group).toMatchObject({ grade: null, costOfPass: null, consistency: null, flaky: false });
    expect(group).toMatchObject({ flakiness: { score: null, band: null }, plugIn: { k: 0, passAtK: null } });
    expect(group.passAtK.size).toBe(0);
  });

  it("a metric is described over the runs that have it; absent is not zero", () => {
    const cost = [0.1, null, 0.3, Number.NaN];
    const group = only(runs("m", many(4, "pass"), (index) => ({ cost_usd: cost[index], loops: null })));
    expect(group.metrics.get("cost_usd")).toMatchObject({ count: 2, min: 0.1, max: 0.3 });
    expect(group.metrics.get("cost_usd")?.mean).toBeCloseTo(0.2, 12);
    expect(group.metrics.get("loops")).toMatchObject({ count: 0, mean: null, interval: null });
    expect([...group.metrics.keys()]).toEqual(["cost_usd", "loops"]);
  });

  it("cost, tokens and latency get an interval of the mean, other metrics do not", () => {
    const metrics = (index: number) => ({ cost_usd: 0.1 + index / 100, tool_calls: index });
    const group = only(runs("m", many(12, "pass"), metrics));
    const { interval, mean } = group.metrics.get("cost_usd") ?? {};
    expect(interval?.low).toBeLessThan(mean ?? 0);
    expect(interval?.high).toBeGreaterThan(mean ?? 1);
    expect(group.metrics.get("tool_calls")?.interval).toBeNull();
  });

  describe("with ProjectScylla's impl_rate", () => {
    const rated = (outcomes: readonly Outcome[], rates: readonly (number | null)[]) =>
      runs("m", outcomes, (index) => ({ impl_rate: rates[index] ?? null }));

    it("the composite is (pass + impl_rate) / 2 of each run, and the grade that of its median", () => {
      const example1 = only(rated(["pass"], [0.85]));
      expect(example1.metrics.get("composite")).toMatchObject({ count: 1, median: 0.925 });
      expect(example1.grade).toBe("B");

      const five = only(rated(["pass", "pass", "pass", "fail", "fail"], [1, 0.96, 0.92, 0.5, 0.3]));
      expect(five.metrics.get("composite")).toMatchObject({
        count: 5,
        median: 0.96,
        mean: expect.closeTo((1 + 0.98 + 0.96 + 0.25 + 0.15) / 5, 12),
      });
      expect(five.grade).toBe("A");
      expect(five.metrics.get("impl_rate")).toMatchObject({ count: 5, median: 0.92 });
    });

    it("uplift is over the queries that both groups have", () => {
      const tier = (key: string, query: string, rate: number) =>
        runs(key, many(3, "pass"), () => ({ impl_rate: rate })).map((run) => ({ ...run, query }));
      const observed = [...tier("old", "one", 0.4), ...tier("old", "two", 1), ...tier("new", "one", 0.6)];
      const { groups } = summarize(observed, { ...options, base: "old" });
      expect(groups.map(({ key, uplift }) => [key, uplift.composite])).toEqual([
        ["new", expect.closeTo((0.8 - 0.7) / 0.7, 12)],
        ["old", 0],
      ]);
    });

    it("a run that failed before its judge counts 0 for the judged part", () => {
      const group = only(rated(["pass", "fail", "fail"], [0.8]));
      expect(group.metrics.get("composite")).toMatchObject({ count: 3, min: 0, max: 0.9, median: 0 });
      expect(group.grade).toBe("F");
    });

    it.each<[string, readonly Observation[], string]>([
      ["of none", runs("m", eightOfTen), "C"],
      ["of none, though it was asked for", rated(eightOfTen, []), "C"],
      ["of a part", [...rated(["pass"], [0.85]), ...runs("m", ["pass"])], "A"],
      ["of a run that passed unjudged", rated(["pass", "pass"], [0.85]), "A"],
    ])("known %s, the grade is that of the pass rate", (_, observed, grade) => {
      expect(only(observed).grade).toBe(grade);
    });
  });

  it("flakiness takes scores and tools into account where they are known", () => {
    const steady = runs("m", many(4, "pass"), () => ({ score: 90 })).map((run) => ({
      ...run,
      tools: ["a", "b"],
    }));
    expect(only(steady).flakiness).toEqual({ score: 0, band: "stable" });
    const reordered = steady.map((run, index) => ({
      ...run,
      tools: index % 2 ? ["b", "a", "a"] : ["a", "b"],
    }));
    expect(only(reordered).flakiness.score).toBe(0);
    const varied = steady.map((run, index) => ({ ...run, tools: index % 2 ? ["a"] : ["a", "b"] }));
    expect(only(varied).flakiness.score).toBeCloseTo(0.1 / 3, 12);
  });
});

describe("several groups", () => {
  const cheap = runs("small", [...many(6, "pass"), ...many(14, "fail")], (index) => ({
    cost_usd: 0.01 + index / 10_000,
  }));
  const dear = runs("large", [...many(19, "pass"), "fail"], (index) => ({ cost_usd: 0.1 + index / 1_000 }));
  const both = [...dear, ...cheap];

  it("are tested against the base, with Holm's correction", () => {
    const { comparisons } = summarize(both, { ...options, base: "small" }).across;
    expect(comparisons.map(({ a, b, metric, test }) => [a, b, metric, test])).toEqual([
      ["small", "large", "pass_rate", "fisher_exact"],
      ["small", "large", "cost_usd", "mann_whitney"],
    ]);
    const [rate, cost] = comparisons;
    expect(rate?.p).toBeLessThan(0.001);
    expect(rate?.pAdjusted).toBeCloseTo(rate?.p ?? 0, 12);
    expect(rate?.effect).toBeCloseTo(0.65, 12);
    expect(cost?.effect).toBe(1);
    expect(cost?.pAdjusted).toBeCloseTo(2 * (cost?.p ?? 0), 12);
  });

  it("a comparison with nothing on one side has no p-value", () => {
    const { comparisons } = summarize([...runs("a", ["pass"]), ...runs("b", ["skip"])], options).across;
    expect(comparisons).toMatchObject([
      { a: "a", b: "b", metric: "pass_rate", test: null, p: null, pAdjusted: null, effect: null },
    ]);
    expect(comparisons[0]?.reason).toBe("no query has a known value in both groups");
  });

  it("without a base every two of few groups are compared, and three or more all at once", () => {
    const three = [...both, ...runs("medium", eightOfTen)];
    const { comparisons, omnibus } = summarize(three, options).across;
    expect(comparisons.filter(({ metric }) => metric === "pass_rate").map(({ a, b }) => `${a} ${b}`)).toEqual(
      ["large medium", "large small", "medium small"],
    );
    expect(omnibus.map(({ metric, degrees }) => [metric, degrees])).toEqual([
      ["pass_rate", 2],
      ["cost_usd", 1],
    ]);
    const queries = Array.from({ length: 9 }, (_, index) => runs(`q${index}`, eightOfTen)).flat();
    expect(summarize(queries, options).across.comparisons).toEqual([]);
  });

  it("variance is over pass rates and medians, cost delta over medians, the frontier is the cheapest pass", () => {
    const { across } = summarize(both, options);
    expect(across.variance.get("pass_rate")).toBeCloseTo(((0.95 - 0.3) / 2) ** 2, 12);
    expect(across.variance.get("cost_usd")).toBeCloseTo(((0.1095 - 0.01095) / 2) ** 2, 12);
    expect(across.costDelta).toBeCloseTo(0.1095 - 0.01095, 12);
    expect(across.frontierCostOfPass).toEqual({ value: expect.closeTo(0.01095 / 0.3, 12), key: "small" });
  });

  it("no costs, no groups: unknown", () => {
    expect(summarize(runs("a", ["fail"]), options).across).toMatchObject({
      costDelta: null,
      frontierCostOfPass: { value: null, key: null },
    });
    expect(summarize([], options)).toMatchObject({ groups: [], across: { comparisons: [], omnibus: [] } });
  });

  it("the order of the runs does not matter", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(both, { minLength: both.length }), (shuffled) => {
        const settings = { ...options, base: "small", resamples: 50 };
        expect(summarize(shuffled, settings)).toEqual(summarize(both, settings));
      }),
      { numRuns: 20 },
    );
  });
});

describe("report --format json", () => {
  const observations = runs("m", eightOfTen, (index) => ({ cost_usd: 0.1 + index / 100, score: 80 + index }));
  const json = JSON.parse(
    JSON.stringify(reportJson(summarize(gated({ minRuns: 20 }, observations), options))),
  ) as { groups: Record<string, Record<string, unknown>>[]; across: Record<string, unknown> };

  it("lists what is flaky for a quarantine, worst first, and nothing that is steady", () => {
    const flips = (key: string, outcomes: readonly ("pass" | "fail")[]): Observation[] =>
      outcomes.map((outcome) => ({ key, outcome, metrics: new Map() }));
    const seen = [
      ...flips("steady", ["pass", "pass"]),
      ...flips("rarely", ["pass", "pass", "pass", "fail"]),
      ...flips("often", ["pass", "fail"]),
      ...flips("broken", ["fail", "fail"]),
    ];
    expect(reportJson(summarize(seen, options))["quarantine"]).toMatchObject([
      { key: "often", passed: 1, failed: 1 },
      { key: "rarely", passed: 3, failed: 1 },
    ]);
  });

  it("has the documented keys, in their order", () => {
    expect(Object.keys(json)).toEqual([
      "format_version",
      "group_by",
      "base",
      "groups",
      "across",
      "quarantine",
    ]);
    const [group = {}] = json.groups;
    expect(Object.keys(group)).toEqual(
      `key runs passed warnings failed undecided pass_rate pass_at_k pass_hat_k plug_in metrics
flaky flip_source flakiness consistency cost_of_pass grade uplift gate`.split(/\s/),
    );
    expect(Object.keys(group["pass_rate"] ?? {})).toEqual(
      "mean median mode std_dev sample_std_dev low high confidence".split(" "),
    );
    expect(Object.keys(group["metrics"]?.["cost_usd"] ?? {})).toEqual(
      `count mean median mode min max std_dev sample_std_dev sample_variance p25 p50 p75 p95 p99
interval`.split(/\s/),
    );
    expect(Object.keys(group["plug_in"] ?? {})).toEqual(["k", "pass_at_k", "pass_hat_k"]);
    expect(Object.keys(json.across)).toEqual([
      "variance",
      "cost_delta",
      "frontier_cost_of_pass",
      "comparisons",
      "omnibus",
      "pairs",
    ]);
  });

  it("survives keys and metric names that are property names elsewhere", () => {
    const nasty: Observation[] = [
      { key: "__proto__", outcome: "pass", metrics: new Map([["__proto__", 1]]) },
      { key: "constructor", outcome: "fail", metrics: new Map([["toString", 2]]) },
    ];
    const text = JSON.stringify(reportJson(summarize(nasty, options)));
    expect(text).toContain('"key":"__proto__"');
    expect(text).toContain('"metrics":{"__proto__":{"count":1');
    expect(text).toContain('"toString":{"count":1');
  });
});
