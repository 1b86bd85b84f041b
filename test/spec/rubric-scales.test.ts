import { describe, expect, test } from "vitest";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { loadSpec } from "../../src/spec/load.ts";

function scaleProblems(correctness: string): { message: string; hint: string | null; line: number }[] {
  const text = `agent: shop\nqueries:\n  - query: Hello\n    correctness:\n${correctness}\n`;
  return loadSpec({ file: "shop.yaml", text }, { checks }).problems.flatMap(
    ({ code, message, hint, line, severity }) => {
      if (code !== "spec/scale") return [];
      expect(severity).toBe("warning");
      return [{ message, hint, line }];
    },
  );
}

const judge = (scale: string, more = ""): string =>
  `      llm_judge: [{ rule: It is kind.${more}, scale: ${scale} }]`;

describe("a rubric with other than five anchors", () => {
  test.each([
    [
      "none that passes",
      '["1: no", "2: partly", "3: yes"]',
      ", threshold: 0.8",
      /requires a score of 4, .* highest anchor of the scale is 3: .* never passes/,
      /threshold: 0\.6/,
    ],
    [
      "none that fails",
      '["3: so so", "5: good"]',
      ", threshold: 0.6",
      /requires a score of 3, .* lowest anchor of the scale is 3: .* never fails/,
      /anchors from 1/,
    ],
    [
      "none that passes, by the default threshold",
      '["1: no", "2: yes"]',
      "",
      /threshold 0\.5 requires a score of 3/,
      /threshold: 0\.4/,
    ],
    [
      "no scores",
      "[no, partly, yes]",
      ", threshold: 0.8",
      /3 anchors and does not assign them to the scores 1 to 5 \(threshold 0\.8 requires 4\)/,
      /begin each anchor with its score/,
    ],
    [
      "scores that judges do not give",
      '["0: no", "10: yes"]',
      "",
      /an anchor for 0 and 10, but judges give scores from 1 to 5/,
      /number the anchors from 1 to 5/,
    ],
  ])("has %s", (_, scale, more, message, hint) => {
    const found = scaleProblems(judge(scale, more));
    expect(found).toEqual([
      { message: expect.stringMatching(message), hint: expect.stringMatching(hint), line: 5 },
    ]);
  });

  test.each([
    ["five anchors without scores", "[a, b, c, d, e]"],
    ["five anchors with scores", '["1: a", "2: b", "3: c", "4: d", "5: e"]'],
    ["two anchors at the ends", '["1: rude", "5: kind"]'],
    ["three anchors, dashes for colons", '["1 - a", "3 - b", "5 - c"]'],
  ])("is fine with %s", (_, scale) => {
    expect(scaleProblems(judge(scale, ", threshold: 0.8"))).toEqual([]);
  });

  test("of a template is held against a threshold only where one is written", () => {
    const scale = 'scale: ["1: no", "2: yes"]';
    expect(scaleProblems(`      llm_judge: [{ rubric: tone@1, ${scale} }]`)).toEqual([]);
    expect(scaleProblems(`      llm_judge: [{ rubric: tone@1, threshold: 0.9, ${scale} }]`)).toHaveLength(1);
  });

  test.each(["safety_check", "hallucination_check", "refutes_premise"])("is found under %s", (key) => {
    expect(scaleProblems(`      ${key}: { rule: It is so., scale: [no, yes] }`)).toHaveLength(1);
  });
});
