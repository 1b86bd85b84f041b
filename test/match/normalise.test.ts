import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseText } from "../../src/match/rules/normalise.ts";
import { anyText } from "../support/any-text.ts";

test.each([
  ["How do I  install\tAgentCI ?", "how do i install agentci"],
  ["Ｈｅｌｌｏ！", "hello"],
  ["What’s “up”", `what's "up"`],
  ["Straße", "strasse"],
  ["ΟΔΥΣΣΕΥΣ", "οδυσσευσ"],
  ["e\u0301te\u0301...", "été"],
  ["天気は？", "天気は"],
  ["soft\u00adhyphen\u200b", "soft hyphen"],
  ["C++ or C#", "c++ or c#"],
  ["Hello?!…", "hello"],
  ["x² + y²", "x^2 + y^2"],
  ["x2 + y2", "x2 + y2"],
  ["H₂O", "h_2o"],
  ["1½ cups", "1 1⁄2 cups"],
  ["What is 5!", "what is 5!"],
  ["What is 5?", "what is 5"],
  ["What is n!", "what is n!"],
  ["What is (n+1)!", "what is (n+1)!"],
  ["What is 10⁻⁵?", "what is 10^-5"],
  ["2 + 2 = ?", "2 + 2 = ?"],
  ["Help me (now)!", "help me (now)"],
  ["?", "?"],
  ["", ""],
])("%j → %j", (text, expected) => {
  expect(normaliseText(text)).toBe(expected);
});

const texts = fc.oneof(anyText(), fc.string({ unit: "grapheme" }), fc.string());

test("normalising twice is normalising once", () => {
  const property = fc.property(texts, (text) => {
    const once = normaliseText(text);
    expect(normaliseText(once)).toBe(once);
  });
  fc.assert(property, { numRuns: 300 });
});

test("a long text of punctuation takes no longer than another", () => {
  const text = `${"! ?.".repeat(50_000)}a`;
  expect(normaliseText(text).length).toBeGreaterThan(100_000);
});
