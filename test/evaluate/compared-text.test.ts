import fc from "fast-check";
import { expect, test } from "vitest";
import { comparedText } from "../../src/evaluate/checks/correctness/compared-text.ts";
import { evaluated } from "../support/evaluated.ts";
import { anyText } from "../support/any-text.ts";

test("a word hidden by any default-ignorable characters is found", () => {
  const hidden = fc.constantFrom(...ignorable);
  fc.assert(
    fc.property(fc.array(hidden, { minLength: 1, maxLength: 6 }), fc.nat(7), (marks, at) => {
      const word = "forecast";
      const answer = `a ${word.slice(0, at)}${marks.join("")}${word.slice(at)} b`;
      const { checks } = evaluated({ correctness: { not_in_answer: [word] } }, { answer }).layers.correctness;
      expect(checks[0]?.outcome).toBe("fail");
    }),
  );
});

test("folding what is folded changes nothing", () => {
  fc.assert(
    fc.property(anyText({ maxLength: 20 }), (text) => {
      const { visible, folded } = comparedText(text);
      expect(comparedText(visible).visible).toBe(visible);
      expect(comparedText(folded).folded).toBe(folded);
    }),
    { numRuns: 100 },
  );
});

/** From each block that has them: U+00AD, U+034F, fillers, joiners, marks of direction, selectors, tags. */
const ignorable = [
  0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180b, 0x200b, 0x200c, 0x200d, 0x200e, 0x202e, 0x2060, 0x2064, 0x2066,
  0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0x1bca0, 0x1d173, 0xe0000, 0xe0041, 0xe0100,
].map((code) => String.fromCodePoint(code));
