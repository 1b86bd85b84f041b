import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparedText } from "../../src/evaluate/checks/correctness/compared-text.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { evaluated } from "../support/evaluated.ts";

function outcomeOf(key: string, limit: string | readonly string[], answer: string): Outcome | undefined {
  return evaluated({ correctness: { [key]: limit } }, { answer }).layers.correctness.checks[0]?.outcome;
}

const zeroWidthSpace = "\u200b";
const softHyphen = "\u00ad";

describe("not_in_answer", () => {
  test.each([
    ["as it is written", "the forecast says rain"],
    ["in another case", "The FORECAST says rain"],
    ["with a zero-width space in it", `the fore${zeroWidthSpace}cast says rain`],
    ["with soft hyphens in it", `the fo${softHyphen}re${softHyphen}cast says rain`],
    ["with a variation selector in it", "the fore\ufe0fcast says rain"],
    ["with tag characters in it", "the fore\u{e0041}cast says rain"],
    ["in full-width letters", "the ｆｏｒｅｃａｓｔ says rain"],
    ["in mathematical letters", "the 𝐟𝐨𝐫𝐞𝐜𝐚𝐬𝐭 says rain"],
    ["in mathematical capitals, with a word joiner", "the 𝐅𝐎𝐑\u2060𝐄𝐂𝐀𝐒𝐓 says rain"],
  ])("finds a forbidden word %s", (_, answer) => {
    expect(outcomeOf("not_in_answer", ["forecast"], answer)).toBe("fail");
  });

  test.each([
    ["forecast", `the fore${zeroWidthSpace}cast`, "fail"],
    ["forecast", "the ｆｏｒｅｃａｓｔ", "fail"],
    ["\\bforecast$", `the fore${softHyphen}cast`, "fail"],
    ["FORECAST", "the ｆｏｒｅｃａｓｔ", "pass"],
    [zeroWidthSpace, `fore${zeroWidthSpace}cast`, "fail"],
    [zeroWidthSpace, "forecast", "pass"],
  ])("is like not_regex_match: %j in %j", (pattern, answer, outcome) => {
    expect(outcomeOf("not_regex_match", pattern, answer)).toBe(outcome);
  });

  test.each([
    ["a non-breaking hyphen", "on-site", "only on\u2011site"],
    ["no-break spaces", "5 km", "after 5\u202fkm or 6\u00a0km"],
    ["composed and decomposed", "café", "at the cafe\u0301"],
    ["a mark behind a hidden character", "café", `at the cafe${zeroWidthSpace}\u0301`],
    ["a term with hidden characters", `fore${zeroWidthSpace}cast`, "the forecast"],
    ["a ligature", "file", "the \ufb01le"],
    ["a typographic apostrophe", "I can't", "Sorry, I can’t"],
    ["a plain apostrophe", "I can’t", "Sorry, I can't"],
    ["ß in capitals", "Straße", "in the STRASSE"],
    ["SS in small letters", "STRASSE", "in the Straße"],
    ["a term of hidden characters alone, as written", zeroWidthSpace, `a${zeroWidthSpace}b`],
  ])("finds %s", (_, term, answer) => {
    expect(outcomeOf("not_in_answer", [term], answer)).toBe("fail");
  });

  test("a term of hidden characters alone does not occur in every answer", () => {
    expect(outcomeOf("not_in_answer", [zeroWidthSpace], "ab")).toBe("pass");
  });

  test("says which terms do not stand there as they are written", () => {
    const answer = `no rain, but the fore${zeroWidthSpace}cast`;
    const { message } =
      evaluated({ correctness: { not_in_answer: ["rain", "forecast"] } }, { answer }).layers.correctness
        .checks[0] ?? {};
    expect(message).toBe(
      'the answer has "rain" and "forecast", which must not occur; "forecast" in other characters, such as full-width letters',
    );
  });

  test("a word hidden by any default-ignorable characters is found", () => {
    const hidden = fc.constantFrom(...ignorable);
    fc.assert(
      fc.property(fc.array(hidden, { minLength: 1, maxLength: 6 }), fc.nat(7), (marks, at) => {
        const word = "forecast";
        const answer = `a ${word.slice(0, at)}${marks.join("")}${word.slice(at)} b`;
        expect(outcomeOf("not_in_answer", [word], answer)).toBe("fail");
      }),
    );
  });
});

describe.each(["expected_in_answer", "any_expected_in_answer"])("%s", (key) => {
  test.each([
    ["composed and decomposed letters are the same", "café", "At the CAFE\u0301.", "pass"],
    ["a non-breaking hyphen is a hyphen", "on-site", "only on\u2011site", "pass"],
    ["in the term, too", "on\u2011site", "only on-site", "pass"],
    ["no-break spaces are spaces", "5 km", "after 5\u202fkm", "pass"],
    ["no-break spaces are spaces", "5 km", "after 5\u00a0km", "pass"],
    ["a dash is no hyphen", "9-18", "9\u201318", "fail"],
    ["hidden characters in the answer do not count", "forecast", `fore${softHyphen}cast`, "pass"],
    ["nor in the term", `fore${softHyphen}cast`, "forecast", "pass"],
    ["case is ignored, as ever", "Forecast", "FORECAST", "pass"],
    ["full-width letters are other letters", "forecast", "ｆｏｒｅｃａｓｔ", "fail"],
    ["a term of hidden characters alone is looked for as written", zeroWidthSpace, "ab", "fail"],
    ["and found", zeroWidthSpace, `a${zeroWidthSpace}b`, "pass"],
  ])("%s", (_, term, answer, outcome) => {
    expect(outcomeOf(key, [term], answer)).toBe(outcome);
  });
});

test("exact_match compares the text as it is written", () => {
  expect(outcomeOf("exact_match", "café", "cafe\u0301")).toBe("fail");
  expect(outcomeOf("exact_match", "forecast", `fore${zeroWidthSpace}cast`)).toBe("fail");
  expect(outcomeOf("exact_match", "café", "café")).toBe("pass");
});

test("folding what is folded changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
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
