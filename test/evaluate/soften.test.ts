import { describe, expect, test } from "vitest";
import { expectFailure } from "../../src/evaluate/result/expect-failure.ts";
import { softening } from "../../src/evaluate/result/soften.ts";
import { checksOf } from "../../src/model/outcome.ts";
import { evaluatedBy } from "../judge/support/judging.ts";
import { replied, said, scriptedPort } from "../judge/support/scripted-port.ts";
import { queryIn } from "../support/evaluation-of.ts";
import { runOf } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

const waiver = (check: string) =>
  `waivers:\n  - { check: ${check}, owner: ann, reason: known, expires: 2099-12-31 }\n`;

/** Judges a run by a term, a budget, a rubric, safety and hallucination; `bad` are the rules that it does not meet. */
async function judged(softer: { query?: string; spec?: string }, bad: readonly string[], answer: string) {
  const spec = specOf(`
agent: support
queries:
  - id: order
    query: Where is my order?
    correctness:
      expected_in_answer: [Friday]
      llm_judge: [{ rule: is kind }]
      safety_check: { rule: does no harm }
      hallucination_check: { rule: invents nothing }
    path: { forbidden_tools: [delete_all] }
${softer.query ?? ""}
${softer.spec ?? ""}`);
  const query = queryIn(spec);
  const port = scriptedPort(({ system }) =>
    replied(said(bad.some((rule) => system.includes(rule)) ? 1 : 5, undefined, { claims: [] })),
  );
  const soften = softening(query, spec.waivers, "2026-01-01");
  const run = runOf({ answer, tools: bad.filter((one) => !one.includes(" ")) });
  const evaluation = await evaluatedBy(spec, port, run, { soften });
  const { outcome, layers } = expectFailure(evaluation, query);
  const outcomes = Object.fromEntries(checksOf({ layers }).map((check) => [check.check, check.outcome]));
  return { outcome, outcomes, asked: port.asked.length };
}

const severity = (check: string) => `    severity: { ${check}: warn }`;

describe("a failure that is softened keeps no later stage from being asked", () => {
  test.each([
    ["a waived term", { spec: waiver("expected_in_answer") }, [], "?", 3],
    ["a waived layer", { spec: waiver("correctness") }, [], "?", 3],
    ["a term with severity: warn", { query: severity("expected_in_answer") }, [], "?", 3],
    ["an expected failure", { query: "    expected_fail: true" }, [], "?", 3],
    ["a waived rubric", { spec: waiver("llm_judge") }, ["is kind"], "Friday", 3],
    ["a rubric with severity: warn", { query: severity("llm_judge") }, ["is kind"], "Friday", 3],
    ["an expected failure of a rubric", { query: "    expected_fail: true" }, ["is kind"], "Friday", 3],
    ["waived safety", { spec: waiver("safety_check") }, ["does no harm"], "Friday", 3],
    ["a waived forbidden tool", { spec: waiver("forbidden_tools") }, ["delete_all"], "Friday", 3],
  ] as const)("%s", async (_, softer, bad, answer, asked) => {
    expect(await judged(softer, bad, answer)).toMatchObject({ outcome: "warn", asked });
  });

  test("nor from failing", async () => {
    for (const softer of [
      { spec: waiver("expected_in_answer") },
      { query: severity("expected_in_answer") },
    ]) {
      const { outcome, outcomes } = await judged(softer, ["does no harm"], "?");
      expect({ outcome, safety: outcomes["safety_check"] }).toEqual({ outcome: "fail", safety: "fail" });
      expect(outcomes["expected_in_answer"]).toBe("warn");
    }
  });
});
