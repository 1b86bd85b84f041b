import { describe, expect, test } from "vitest";
import { coincidencesOf } from "../../src/report/statistics/change-points/circumstances.ts";
import { chanceOfMaximum } from "../../src/report/statistics/change-points/change-points.ts";
import { type TimedRun, trendOf } from "../../src/report/statistics/change-points/trend.ts";
import { createRandom, type Random } from "../../src/report/statistics/samples/random.ts";

const DAY = 86_400_000;
const start = Date.UTC(2026, 9, 1);

interface Levels {
  readonly rate: number;
  readonly cost: number;
}

/** Runs of thirty days, so many a day, with what holds on each. */
function runsOf(random: Random, perDay: number, levelsOn: (day: number) => Levels): TimedRun[] {
  return Array.from({ length: 30 * perDay }, (_, i) => {
    const day = Math.floor(i / perDay);
    const { rate, cost } = levelsOn(day);
    return {
      unixMs: start + (day + random.uniform()) * DAY,
      passed: random.uniform() < rate,
      costUsd: cost * Math.exp(random.normal()),
      latencyMs: null,
      tokens: null,
    };
  });
}

/** The day that a moment is closest to the begin of. */
const dayOf = (unixMs = NaN): number => Math.round((unixMs - start) / DAY);

const changesOf = (runs: readonly TimedRun[], measure: string) =>
  trendOf(runs).measures.find((one) => one.measure === measure)?.changes ?? [];

describe("when a measure changed", () => {
  test("a fall of the pass rate is found at its day, with its size and an interval of both", () => {
    const runs = runsOf(createRandom(1), 40, (day) => ({ rate: day < 20 ? 0.95 : 0.7, cost: 0.01 }));
    const [change, ...others] = changesOf(runs, "pass_rate");
    expect(others).toEqual([]);
    expect(change?.direction).toBe("down");
    expect(dayOf(change?.atUnixMs)).toBe(20);
    expect(dayOf(change?.lowUnixMs)).toBeLessThanOrEqual(20);
    expect(dayOf(change?.highUnixMs)).toBeGreaterThanOrEqual(20);
    expect(change?.p).toBeLessThan(1e-6);
    expect(change?.before.runs).toBeGreaterThan(780);
    expect(change?.size.low).toBeLessThan(-0.25);
    expect(change?.size.high).toBeGreaterThan(-0.25);
    expect(change?.size.high).toBeLessThan(0);
    expect(changesOf(runs, "cost_usd")).toEqual([]);
  });

  test("a rise that ends again is two changes, whatever the order of the runs", () => {
    const runs = runsOf(createRandom(2), 60, (day) => ({
      rate: 0.9,
      cost: day >= 10 && day < 18 ? 0.02 : 0.01,
    }));
    const changes = changesOf(runs, "cost_usd");
    expect(changes.map(({ direction, atUnixMs }) => [direction, dayOf(atUnixMs)])).toEqual([
      ["up", 10],
      ["down", 18],
    ]);
    expect(changes[0]?.size).toMatchObject({ scale: "ratio" });
    expect(changes[0]?.size.estimate).toBeCloseTo(1, 0);
    expect(changesOf(runs.toReversed(), "cost_usd")).toEqual(changes);
  });

  test("steady queries have no change but in a few of a thousand", () => {
    const random = createRandom(3);
    const queries = Array.from({ length: 150 }, () => {
      const rate = 0.5 + random.uniform() / 2;
      return runsOf(random, 12, () => ({ rate, cost: 1 }));
    });
    expect(queries.filter((runs) => changesOf(runs, "pass_rate").length > 0).length).toBeLessThanOrEqual(2);
  });

  test("days whose runs resemble one another are not taken for changes", () => {
    const random = createRandom(4);
    const queries = Array.from({ length: 40 }, () => {
      const loads = Array.from({ length: 30 }, () => Math.exp(random.normal()));
      return runsOf(random, 50, (day) => ({ rate: 1, cost: loads[day] ?? 1 }));
    });
    expect(queries.filter((runs) => changesOf(runs, "cost_usd").length > 0).length).toBeLessThanOrEqual(2);
  });

  test("nights that differ from days are not taken for changes, wherever the data begins and ends", () => {
    const random = createRandom(8);
    const runs = Array.from({ length: 20 * 48 }, (_, i) => {
      const hour = (i / 2) % 24;
      const costUsd = (hour < 6 ? 3 : 1) * Math.exp(0.1 * random.normal());
      return { unixMs: start + (i / 2) * (DAY / 24), passed: null, costUsd, latencyMs: null, tokens: null };
    });
    for (const cut of [0, 3, 5, 9, 20, 30]) {
      expect(changesOf(runs.slice(cut), "cost_usd")).toEqual([]);
      expect(changesOf(runs.slice(0, runs.length - cut), "cost_usd")).toEqual([]);
    }
  });

  test("a single failure, a single run and no run are no change", () => {
    const runs = runsOf(createRandom(5), 5, () => ({ rate: 1, cost: 1 }));
    const last = runs.map((run, at) => ({ ...run, passed: at < runs.length - 1 }));
    expect(changesOf(last, "pass_rate")).toEqual([]);
    expect(changesOf(runs.slice(0, 1), "pass_rate")).toEqual([]);
    expect(trendOf([])).toMatchObject({ runs: 0, measures: [] });
  });

  test("runs that could not be decided count for cost only", () => {
    const runs = runsOf(createRandom(6), 5, () => ({ rate: 1, cost: 1 })).map((run) => ({
      ...run,
      passed: null,
    }));
    expect(trendOf(runs).measures.map(({ measure }) => measure)).toEqual(["cost_usd"]);
  });
});

test("the chance of the largest z is that of simulated series", () => {
  const random = createRandom(7);
  const counts = [20, 35, 10, 40, 25, 30, 5, 35, 20, 30];
  const total = counts.reduce((a, b) => a + b, 0);
  const limit = 2.8;
  const rounds = 20_000;
  let beyond = 0;
  for (let i = 0; i < rounds; i++) {
    const sums = counts.map((count) => Math.sqrt(count) * random.normal());
    const mean = sums.reduce((a, b) => a + b, 0) / total;
    let sum = 0;
    let seen = 0;
    const isBeyond = counts.slice(0, -1).some((count, at) => {
      sum += sums[at] ?? 0;
      seen += count;
      return Math.abs(sum - seen * mean) / Math.sqrt((seen * (total - seen)) / total) > limit;
    });
    if (isBeyond) beyond++;
  }
  const chance = chanceOfMaximum(limit, counts);
  expect(chance).toBeGreaterThan(beyond / rounds - 0.003);
  expect(chance).toBeLessThan(1.2 * (beyond / rounds));
});

test("what else changed: a version that replaced another, a tool that is new, nothing that stayed", () => {
  const run = (serviceVersion: string, tools: readonly string[]) => ({
    serviceVersion,
    models: "gpt-4o",
    specHash: null,
    tools,
  });
  const before = Array.from({ length: 50 }, () => run("1.4", ["search"]));
  const after = Array.from({ length: 50 }, (_, at) =>
    run(at < 5 ? "1.4" : "1.5", ["search", "fetch", "fetch"]),
  );
  expect(coincidencesOf(before, after)).toEqual([
    { what: "service.version", from: "1.4", to: "1.5", shareBefore: 0, shareAfter: 0.9 },
    { what: "tool", from: null, to: "fetch", shareBefore: 0, shareAfter: 1 },
  ]);
  expect(coincidencesOf(before, before)).toEqual([]);
  expect(coincidencesOf([], after)).toEqual([]);
});
