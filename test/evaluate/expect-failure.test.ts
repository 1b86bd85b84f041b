import { describe, expect, test } from "vitest";
import { expectFailure } from "../../src/evaluate/result/expect-failure.ts";
import { softening } from "../../src/evaluate/result/soften.ts";
import { evaluationOf, queryIn } from "../support/evaluation-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

function judged(checks: string, run: RunText, waivers = "") {
  const spec = specOf(
    `agent: support\nqueries:\n  - id: order\n    query: Where is my order?\n    expected_fail: true\n${checks}${waivers}`,
  );
  const query = queryIn(spec);
  const soften = softening(query, spec.waivers, "2026-01-01");
  const evaluation = evaluationOf(runOf(run), query, { soften });
  return expectFailure(evaluation, query);
}

const forbids = "    path: { forbidden_tools: [delete_all], max_tool_calls: 1 }\n";

describe("a query with `expected_fail: true`", () => {
  test("shows a forbidden tool as a warning, marked, and is no hard failure", () => {
    const evaluation = judged(forbids, { tools: ["delete_all"] });
    expect(evaluation).toMatchObject({ outcome: "warn", hardFail: false });
    expect(evaluation.layers.path.checks.find(({ check }) => check === "forbidden_tools")).toMatchObject({
      outcome: "warn",
      expectedFail: true,
      message: expect.stringMatching(/^expected to fail: delete_all was called/),
    });
  });

  test.each([
    ["passes", ["lookup"], "pass"],
    ["only warns", ["lookup", "lookup"], "warn"],
  ] as const)("fails a run that %s, and says to remove the key", (_, tools, value) => {
    const evaluation = judged(forbids, { tools });
    expect(evaluation).toMatchObject({ outcome: "fail", hardFail: true });
    expect(evaluation.layers.correctness.checks.at(-1)).toMatchObject({
      check: "expected_fail",
      outcome: "fail",
      value,
      message: expect.stringContaining("remove `expected_fail` (tracejury promote --flip order"),
      source: { line: 5 },
    });
  });

  test("leaves what is unknown as it is", () => {
    const evaluation = judged("    todo: say what is right\n", { tools: ["lookup"] });
    expect(evaluation.outcome).toBe("incomplete");
    expect(evaluation.layers.correctness.checks.map(({ check }) => check)).not.toContain("expected_fail");
  });

  test("stays decided where another check is unknown", () => {
    const evaluation = judged(`${forbids}    correctness: { expected_in_answer: [Friday] }\n`, {
      tools: ["delete_all"],
      answer: null,
    });
    expect(evaluation.layers.correctness.outcome).toBe("incomplete");
    expect(evaluation.outcome).toBe("warn");
  });

  test("is not waived when it passes", () => {
    const waiver = "waivers:\n  - { owner: ann, reason: known, expires: 2099-12-31 }\n";
    expect(judged(forbids, { tools: ["lookup"] }, waiver).outcome).toBe("fail");
  });
});

describe("a query with `todo:`", () => {
  const todo = (checks: string, tools: string[]) => {
    const spec = specOf(
      `agent: support\nqueries:\n  - query: Where is it?\n    todo: say what is right\n${checks}`,
    );
    const query = queryIn(spec);
    return evaluationOf(runOf({ tools }), query);
  };

  test("is incomplete with the text as its remedy", () => {
    const evaluation = todo("", ["lookup"]);
    expect(evaluation.outcome).toBe("incomplete");
    expect(evaluation.layers.correctness.checks.find(({ check }) => check === "todo")).toMatchObject({
      outcome: "incomplete",
      remedy: "say what is right",
      source: { line: 4 },
    });
  });

  test("is incomplete where the run ended in an error that the query accepts", () => {
    const spec = specOf(
      "agent: support\nqueries:\n  - { query: Where is it?, todo: say what is right, correctness: { run_status: any } }\n",
    );
    const query = queryIn(spec);
    const run = runOf({ status: "error", answer: null });
    expect(evaluationOf(run, query).outcome).toBe("incomplete");
  });
});
