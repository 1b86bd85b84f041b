import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeOf, roundsFor, widening } from "../../bench/compare/change.ts";
import { compareFigures, compareRuns, type Margins } from "../../bench/compare/compare.ts";
import type { Figure } from "../../bench/compare/saved.ts";
import { comparisonLines } from "../../bench/compare/table.ts";
import { createRandom } from "../../src/report/statistics/samples/random.ts";

const margins: Margins = { margin: 0.05, times: false };

function figure(rounds: Figure["rounds"], more: Partial<Figure> = {}): Figure {
  return { name: "decode.plain", row: null, unit: "x", better: "less", rounds, ...more };
}

/** Rounds about a median that lie apart by about so much, one in ten three times as far. */
function noisy(seed: number, count: number, apart: number, median = 1): number[] {
  const random = createRandom(seed);
  const far = (): number => apart * random.normal() * (random.uniform() < 0.1 ? 3 : 1);
  return Array.from({ length: count }, () => median * Math.exp(far()));
}

const verdictOf = (before: Figure, after: Figure, asked = margins) =>
  compareFigures(before, after, asked).verdict;

const steady = [1, 1.01, 0.99, 1, 1.02];
const times = (factor: number, rounds = steady): number[] => rounds.map((value) => value * factor);

describe("what is said of a figure", () => {
  test.each([
    ["more where less is better", figure(steady), figure(times(1.3)), "worse"],
    ["less where less is better", figure(steady), figure(times(0.7)), "better"],
    [
      "more where more is better",
      figure(steady, { better: "more" }),
      figure(times(1.3), { better: "more" }),
      "better",
    ],
    [
      "less where more is better",
      figure(steady, { better: "more" }),
      figure(times(0.7), { better: "more" }),
      "worse",
    ],
    ["the same rounds", figure(steady), figure(steady), "same"],
    ["a change within the margin", figure(steady), figure(times(1.005)), "same"],
    ["other numbers of rounds", figure(steady), figure(times(1.4).slice(1)), "worse"],
    [
      "a power that was 0",
      figure([0, 0.01, -0.01], { unit: "power" }),
      figure([0.5, 0.51, 0.49], { unit: "power" }),
      "worse",
    ],
    ["sizes", figure(steady, { unit: "MiB" }), figure(times(1.3), { unit: "MiB" }), "worse"],
  ])("%s", (_, before, after, verdict) => {
    expect(compareFigures(before, after, margins)).toMatchObject({ verdict, why: "" });
  });

  test.each([
    ["a file without rounds", figure(null), figure(steady), /older run was saved without its rounds/],
    ["a figure that is new", undefined, figure(steady), /only in the newer run/],
    ["a figure that is gone", figure(steady), undefined, /only in the older run/],
    ["one that was not measured", figure(steady), figure([]), /newer run could not measure it/],
    ["two rounds", figure(steady), figure([1, 1]), /2 of at least 3 rounds; 9 would do/],
    ["another unit", figure(steady), figure(steady, { unit: "B" }), /in x before, in B now/],
    ["a ratio below 0", figure([-0.1, 1, 1]), figure(steady), /a round of the older run is -0.10/],
    ["a time", figure(steady, { unit: "µs" }), figure(times(2), { unit: "µs" }), /--times judges it/],
    [
      "no direction",
      figure(steady, { better: null }),
      figure(times(2), { better: null }),
      /whether more or less/,
    ],
    ["wide rounds", figure([1, 1.2, 0.8, 1.1, 0.9]), figure([1, 1.3, 0.7, 1.2, 0.9]), /about \d+ would do/],
  ])("%s cannot be told, and why is said", (_, before, after, why) => {
    const { verdict, why: said } = compareFigures(before, after, margins);
    expect({ verdict, said }).toEqual({ verdict: "cannot tell", said: expect.stringMatching(why) });
  });

  test("times are judged when that is asked for", () => {
    const [before, after] = [figure(steady, { unit: "µs" }), figure(times(2), { unit: "µs" })];
    expect(verdictOf(before, after, { ...margins, times: true })).toBe("worse");
  });

  test("a wider margin lets more pass", () => {
    expect(verdictOf(figure(steady), figure(times(1.3)), { ...margins, margin: 0.5 })).toBe("same");
  });
});

describe("noise", () => {
  test.each([3, 5, 9])("%i rounds of the same are worse in less than 4 of 100 seeds", (rounds) => {
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    for (const apart of [0.02, 0.1]) {
      const worse = seeds.filter((seed) => {
        const before = figure(noisy(2 * seed + 1, rounds, apart));
        return verdictOf(before, figure(noisy(2 * seed + 2, rounds, apart))) === "worse";
      });
      expect(worse.length).toBeLessThan(4);
    }
  });

  test("30 % more are found in 9 rounds that lie 5 % apart", () => {
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    const found = seeds.filter(
      (seed) => verdictOf(figure(noisy(seed, 9, 0.05)), figure(noisy(seed + 1000, 9, 0.05, 1.3))) === "worse",
    );
    expect(found.length).toBeGreaterThan(90);
  });
});

const rounds = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 3, maxLength: 12 });

describe("the change", () => {
  test("lies in its interval, is the same each time, and is that of the medians", () => {
    fc.assert(
      fc.property(rounds, rounds, (before, after) => {
        const told = changeOf(before, after, "ratio");
        expect(told.low).toBeLessThanOrEqual(told.change);
        expect(told.high).toBeGreaterThanOrEqual(told.change);
        expect(changeOf(before, after, "ratio")).toEqual(told);
      }),
      { numRuns: 15 },
    );
  });

  test("does not depend on the scale of the figure", () => {
    fc.assert(
      fc.property(rounds, rounds, (before, after) => {
        const told = changeOf(before, after, "ratio");
        const larger = changeOf(times(8, before), times(8, after), "ratio");
        expect(larger.change).toBeCloseTo(told.change, 9);
        expect(larger.high).toBeCloseTo(told.high, 9);
      }),
      { numRuns: 15 },
    );
  });

  test("is widened by Student's quantile, which tables have", () => {
    const tabled = [
      [3, 4.303],
      [5, 2.776],
      [9, 2.306],
      [31, 2.042],
    ] as const;
    for (const [count, t] of tabled)
      expect(widening(count) / ((Math.sqrt(count / (count - 1)) * t) / 1.95996)).toBeCloseTo(1, 1.5);
  });

  test("of more rounds is known better", () => {
    expect(roundsFor(0.05, 0.1, 9)).toBeGreaterThan(20);
    expect(roundsFor(0.05, 0.1, 9)).toBeLessThan(40);
    expect(roundsFor(0.001, 1, 9)).toBeNull();
  });
});

test("two runs are told as a table: all figures of both, what is worse last of all counted", () => {
  const of = (name: string, values: readonly number[]): Figure => figure(values, { name });
  const lines = comparisonLines(
    compareRuns(
      [of("P1.genai", steady), of("gone", steady)],
      [of("P1.genai", times(1.5)), of("new", steady)],
      margins,
    ),
  );
  expect(lines).toEqual([
    expect.stringMatching(/^figure +before +now +change/),
    expect.stringMatching(/^P1\.genai +1\.00 x +1\.50 x +\+50 % \(\+\d+ % to \+\d+ %\) +worse$/),
    expect.stringMatching(/^new +\? +1\.00 x +\? +cannot tell +only in the newer run$/),
    expect.stringMatching(/^gone +1\.00 x +\? +\? +cannot tell +only in the older run$/),
    "1 worse, 0 better, 0 same, 2 cannot tell",
  ]);
});
