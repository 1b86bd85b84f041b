import fc from "fast-check";
import { expect, test } from "vitest";
import { similarity, Wording } from "../../src/match/rules/similarity.ts";

/** The textbook table. */
function slowCommonSubsequence(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, () => Array.from(b, () => 0));
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      (table[i] ??= [])[j] =
        a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  return at(a.length, b.length);
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), maxLength: 120 });

test("of single words is 2·LCS/(|a|+|b|)", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const sum = a.length + b.length;
      expect(similarity(a, b)).toBe(sum === 0 ? 1 : (2 * slowCommonSubsequence(a, b)) / sum);
    }),
  );
});

test("is symmetric, within its bound, and 1 only of a text with itself or its words in another order", () => {
  const words = fc
    .array(
      text.filter((word) => word !== ""),
      { minLength: 1, maxLength: 5 },
    )
    .map((all) => all.join(" "));
  fc.assert(
    fc.property(words, words, (a, b) => {
      const score = similarity(a, b);
      expect(similarity(b, a)).toBe(score);
      expect(score).toBeLessThanOrEqual(new Wording(a).bound(new Wording(b)));
      const sorted = (of: string) => of.split(" ").sort().join(" ");
      expect(score === 1).toBe(sorted(a) === sorted(b));
    }),
  );
});

test.each([
  ["reset my password please", "please reset my password", 1],
  ["how do i install agentci", "how can i install agentci", 0.9],
  ["how do i install agentci", "cancel my subscription", 0.35],
])("%s ~ %s is about %d", (a, b, expected) => {
  expect(Math.abs(similarity(a, b) - expected)).toBeLessThan(0.08);
});
