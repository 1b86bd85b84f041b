import { describe, expect, test } from "vitest";
import { softening } from "../../src/evaluate/result/soften.ts";
import { evaluationOf, queryIn } from "../support/evaluation-of.ts";
import { runOf } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

const yaml = (waivers: string): string => `
agent: support
queries:
  - id: order
    query: Where is my order?
    correctness: { expected_in_answer: [refund] }
    path: { forbidden_tools: [delete_all], max_tool_calls: 0 }
waivers:
${waivers}
`;

function judged(waivers: string, today: string, tools: string[] = []) {
  const spec = specOf(yaml(waivers));
  const query = queryIn(spec);
  const soften = softening(query, spec.waivers, today);
  return evaluationOf(runOf({ tools }), query, { soften });
}

const order =
  "  - { query: order, check: expected_in_answer, owner: ann, reason: known, expires: 2026-03-31 }";

describe("a waiver", () => {
  test.each(["spans", "retrieval.min_results", "scoring.min_score", "checks.ours", "path"])(
    "may name %s",
    (check) => {
      const waiver = `  - { check: ${check}, owner: ann, reason: known, expires: 2026-03-31 }`;
      expect(specOf(yaml(waiver)).waivers).toHaveLength(1);
    },
  );

  test("turns the failure it covers into a warning that says who accepted it, up to its last day", () => {
    const evaluation = judged(order, "2026-03-31");
    expect(evaluation).toMatchObject({ outcome: "warn", hardFail: false });
    expect(evaluation.layers.correctness.checks[1]).toMatchObject({
      outcome: "warn",
      message: expect.stringMatching(/^waived until 2026-03-31 by ann \(known\): /),
      waiver: { owner: "ann", reason: "known", expires: "2026-03-31" },
    });
  });

  test.each([
    [
      "another query's",
      "  - { query: Where is my order?, check: max_tool_calls, owner: a, reason: r, expires: 2026-03-31 }",
    ],
    ["another layer's", "  - { check: cost, owner: a, reason: r, expires: 2026-03-31 }"],
  ])("%s leaves the failure alone", (_, waiver) => {
    expect(judged(waiver, "2026-01-01").outcome).toBe("fail");
  });

  test.each([
    ["the query's text", "  - { query: Where is my order?, owner: a, reason: r, expires: 2026-03-31 }"],
    ["a layer", "  - { check: correctness, owner: a, reason: r, expires: 2026-03-31 }"],
    ["everything", "  - { owner: a, reason: r, expires: 2026-03-31 }"],
  ])("may name %s", (_, waiver) => {
    expect(judged(waiver, "2026-01-01").outcome).toBe("warn");
  });
});
