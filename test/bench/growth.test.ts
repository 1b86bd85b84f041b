import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { figuresOf, powersOf, type Step } from "../../bench/growth/growth.ts";

const SIZES = [10, 100, 1_000, 10_000] as const;

function curve(cost: (size: number) => number, costs: "of all" | "of each" = "of all") {
  const steps = SIZES.map((size) => ({ size, costs: [cost(size), cost(size)] }));
  return { name: "growth.some", what: "a thing", unit: "µs", steps, of: "things", costs } as const;
}

const powerOf = (given: Parameters<typeof figuresOf>[0]) => figuresOf(given).at(-1);

describe("the power of the size that costs grow with", () => {
  test.each([
    ["as much for each", curve((size) => 3 * size), 1, true],
    ["as much for each, which is what was measured", curve(() => 3, "of each"), 1, true],
    ["with the square", curve((size) => size ** 2), 2, false],
    ["with the square, of each", curve((size) => size, "of each"), 2, false],
    ["n log n", curve((size) => size * Math.log2(size)), 1.12, false],
    ["linear after what is paid once", curve((size) => 500 + size), 0.62, true],
    ["a square that what is paid once hides at first", curve((size) => 1e5 + size ** 2), 1.52, false],
    ["not at all, where nothing is asked for", { ...curve(() => 7), atMost: 0.1 }, 0, true],
    ["a little, where nothing is asked for", { ...curve((size) => size ** 0.2), atMost: 0.1 }, 0.2, false],
  ])("%s", (_, given, power, holds) => {
    const told = powerOf(given);
    expect(told).toMatchObject({ name: "growth.some.power", row: "growth", unit: "power", holds });
    expect(told?.value).toBeCloseTo(power, 1);
    expect(told?.rounds).toHaveLength(2);
  });

  test("every step is a figure", () => {
    expect(figuresOf(curve((size) => size)).map(({ name }) => name)).toEqual([
      ...SIZES.map((size) => `growth.some.${size}`),
      "growth.some.power",
    ]);
  });

  test("is found whatever the sizes and the unit", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 6 }),
        fc.double({ min: -1, max: 3, noNaN: true }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (sizes, power, unit) => {
          // Where sizes hardly differ, rounding errors hide the power.
          fc.pre(Math.max(...sizes) >= 1.1 * Math.min(...sizes));
          const steps: Step[] = sizes.map((size) => ({ size, costs: [unit * size ** power] }));
          expect(powersOf(steps)[0]).toBeCloseTo(power, 6);
        },
      ),
    );
  });

  test("cannot be told of one step", () => {
    expect(powersOf([{ size: 10, costs: [1, 2] }])).toEqual([Number.NaN, Number.NaN]);
  });
});
