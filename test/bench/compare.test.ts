import { expect, test } from "vitest";
import { compareFigures, compareRuns, type Margins } from "../../bench/compare/compare.ts";
import type { Figure } from "../../bench/compare/saved.ts";
import { comparisonLines } from "../../bench/compare/table.ts";
import { createRandom } from "../../src/report/statistics/samples/random.ts";

const margins: Margins = { margin: 0.05, times: false };

function figure(rounds: Figure["rounds"], more: Partial<Figure> = {}): Figure {
  return { name: "decode.plain", row: null, unit: "x", better: "less", rounds, ...more };
}

/** Rounds about 1 that lie apart by about so much, one in ten three times as far. */
function noisy(seed: number, count: number, apart: number): number[] {
  const random = createRandom(seed);
  const far = (): number => apart * random.normal() * (random.uniform() < 0.1 ? 3 : 1);
  return Array.from({ length: count }, () => Math.exp(far()));
}

const steady = [1, 1.01, 0.99, 1, 1.02];
const times = (factor: number, rounds = steady): number[] => rounds.map((value) => value * factor);
const more = { better: "more" } as const;
const power = { unit: "power" };
const microseconds = { unit: "µs" };

test.each([
  ["more where less is better", figure(steady), figure(times(1.3)), "worse"],
  ["less where less is better", figure(steady), figure(times(0.7)), "better"],
  ["more where more is better", figure(steady, more), figure(times(1.3), more), "better"],
  ["less where more is better", figure(steady, more), figure(times(0.7), more), "worse"],
  ["the same rounds", figure(steady), figure(steady), "same"],
  ["a change within the margin", figure(steady), figure(times(1.005)), "same"],
  ["other numbers of rounds", figure(steady), figure(times(1.4).slice(1)), "worse"],
  ["a power that was 0", figure([0, 0.01, -0.01], power), figure([0.5, 0.51, 0.49], power), "worse"],
  ["a figure that is new", undefined, figure(steady), /only in the newer run/],
  ["a figure that is gone", figure(steady), undefined, /only in the older run/],
  ["one that was not measured", figure(steady), figure([]), /newer run could not measure it/],
  ["two rounds", figure(steady), figure([1, 1]), /fewer than 3 rounds/],
  ["another unit", figure(steady), figure(steady, { unit: "B" }), /in x before, in B now/],
  ["a ratio below 0", figure([-0.1, 1, 1]), figure(steady), /a round of the older run is 0 or less/],
  ["a time", figure(steady, microseconds), figure(times(2), microseconds), /--times judges it/],
  ["wide rounds", figure([1, 1.2, 0.8, 1.1, 0.9]), figure([1, 1.3, 0.7, 1.2, 0.9]), /more rounds/],
])("%s", (_, before, after, expected) => {
  const { verdict, why } = compareFigures(before, after, margins);
  const isTold = typeof expected === "string";
  expect(verdict).toBe(isTold ? expected : "cannot tell");
  expect(why).toMatch(isTold ? /^$/ : expected);
});

test.each([3, 9])("%i rounds of the same are worse in less than 2 of 20 seeds", (rounds) => {
  const seeds = Array.from({ length: 20 }, (_, seed) => 2 * seed);
  const figureOf = (seed: number): Figure => figure(noisy(seed, rounds, 0.05));
  const compared = seeds.map((seed) => compareFigures(figureOf(seed + 1), figureOf(seed + 2), margins));
  expect(compared.filter(({ verdict }) => verdict === "worse").length).toBeLessThan(2);
});

test("two runs are told as a table: all figures of both, what is worse last of all counted", () => {
  const of = (name: string, values: readonly number[]): Figure => figure(values, { name });
  const before = [of("P1.genai", steady), of("gone", steady)];
  const after = [of("P1.genai", times(1.5)), of("new", steady)];
  expect(comparisonLines(compareRuns(before, after, margins))).toEqual([
    expect.stringMatching(/^figure +before +now +change/),
    expect.stringMatching(/^P1\.genai +1\.00 x +1\.50 x +\+50 % \(\+\d+ % to \+\d+ %\) +worse$/),
    expect.stringMatching(/^new +\? +1\.00 x +\? +cannot tell +only in the newer run$/),
    expect.stringMatching(/^gone +1\.00 x +\? +\? +cannot tell +only in the older run$/),
    "1 worse, 0 better, 0 same, 2 cannot tell",
  ]);
});
