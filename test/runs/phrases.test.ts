import fc from "fast-check";
import { expect, test } from "vitest";
import { AlikeNames } from "../../src/runs/text/alike-names.ts";
import { FirstAtLeast } from "../../src/runs/search/first-at-least.ts";
import { MaxEndTree } from "../../src/runs/search/max-end-tree.ts";
import { Phrases } from "../../src/runs/search/phrases.ts";
import { sameTool } from "../../src/runs/text/same-tool.ts";
import { Intervals } from "../../src/runs/search/intervals.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 });
const numbers = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 });
const height = fc.integer({ min: -1, max: 10 });

test("a text that holds one of many phrases is found as by looking for each", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), word, (phrases, text) => {
      expect(new Phrases(phrases).anyWithin(text)).toBe(phrases.some((phrase) => text.includes(phrase)));
    }),
  );
});

test("names that may stand for a tool are found as by comparing each", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "B", ".", "_", ":"), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 20 }), name, (names, wanted) => {
      const alike = [...new Set(names)].filter((one) => sameTool(one, wanted));
      expect([...new AlikeNames(names).to(wanted)].sort()).toEqual(alike.sort());
    }),
    { numRuns: 1000 },
  );
});

test("the first and the last number that reach a height are found as by looking at each", () => {
  fc.assert(
    fc.property(numbers, height, fc.nat({ max: 19 }), (all, least, place) => {
      const first = all.findIndex((one) => one >= least);
      expect(new FirstAtLeast(all).place(least)).toBe(first < 0 ? all.length : first);
      const above = all.findIndex((one) => one > least);
      expect(new FirstAtLeast(all).placeAbove(least)).toBe(above < 0 ? all.length : above);
      const until = Math.min(place, all.length - 1);
      const last = all.slice(0, until + 1).findLastIndex((one) => one >= least);
      expect(new MaxEndTree(all).place(until, least)).toBe(last);
    }),
    { numRuns: 500 },
  );
});

test("whether a stretch of time lies within another is told as by comparing each", () => {
  const stretch = fc
    .record({ start: fc.nat({ max: 9 }), takes: fc.nat({ max: 5 }) })
    .map(({ start, takes }) => ({ start, end: start + takes }));
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 10 }), stretch, (all, outer) => {
      const within = all.some(({ start, end }) => start >= outer.start && end <= outer.end);
      expect(new Intervals(all).anyWithin(outer)).toBe(within);
    }),
  );
});
