import fc from "fast-check";
import { expect, test } from "vitest";
import { similarity, Wording } from "../../src/match/rules/similarity.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), maxLength: 120 });

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
