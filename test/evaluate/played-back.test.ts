import { describe, expect, test } from "vitest";
import { playedBack } from "../../src/evaluate/result/played-back.ts";
import type { PlaybackEffect } from "../../src/model/playback.ts";
import { checksOf } from "../../src/model/outcome.ts";
import { evaluationOf } from "../support/evaluation-of.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf } from "../support/run-of.ts";

const query = queryOf({
  correctness: {
    run_status: "ok",
    expected_in_answer: ["120"],
    grounded: {},
    hallucination_check: true,
  },
  path: { expected_tools: ["lookup"], forbidden_tools: ["refund"] },
  cost: { max_llm_calls: 1 },
});

function played(effect: PlaybackEffect, what: string, result: string, status: "ok" | "error" = "ok") {
  const divergence = { call: 2, what, where: "", recorded: "120", now: "121", diff: "12[-0-]{+1+}" };
  const run = runOf({
    status,
    error: status === "error" ? "broken" : null,
    answer: "It costs 120 EUR.",
    tools: [{ name: "lookup", result }],
    llm: [{}],
    playback: { runId: "recorded", effect, divergences: effect === "none" ? [] : [divergence] },
  });
  const evaluation = evaluationOf(run, query, { judge: "incomplete" });
  const { layers, outcome } = playedBack(evaluation, query, run);
  const checks = checksOf({ layers });
  return { outcome, checks, of: (key: string) => checks.find(({ check }) => check === key) };
}

const differs = "the agent's requests differ from the recording";

describe("a recorded answer after another result of a tool", () => {
  test.each(["120 EUR", "121 EUR"])("is not compared with the result %s", (result) => {
    for (const effect of ["warn", "fail"] as const) {
      const { of } = played(effect, "result of tool lookup", result);
      for (const key of ["grounded", "hallucination_check"])
        expect(of(key)).toMatchObject({
          outcome: "skip",
          message: "not compared: the recorded answer is based on another tool result than this run has",
          remedy: null,
          missing: [],
        });
      expect(of("run_status")).toMatchObject({
        outcome: effect,
        message: `${differs}${effect === "warn" ? "; the agent got the recorded answers" : ""}: call 2: result of tool lookup: 12[-0-]{+1+}`,
      });
      expect(of("expected_in_answer")).toMatchObject({
        outcome: "pass",
        message: "the answer has every expected term (recorded answer)",
      });
    }
  });

  test.each([
    ["none", "", "120 EUR", "pass"],
    ["none", "", "121 EUR", "fail"],
    ["warn", "system prompt", "120 EUR", "pass"],
  ] as const)(
    "is compared where the results are the recorded ones: %s %s %s",
    (effect, what, result, outcome) => {
      expect(played(effect, what, result).of("grounded")?.outcome).toBe(outcome);
    },
  );
});

test("an undecided playback names the difference once", () => {
  const { outcome, checks, of } = played("incomplete", "system prompt", "120 EUR");
  expect(outcome).toBe("incomplete");
  expect(of("run_status")?.message).toBe(`${differs}: call 2: system prompt: 12[-0-]{+1+}`);
  expect(of("expected_tools")).toMatchObject({
    outcome: "incomplete",
    message: "with the recorded answers: the expected tool was called",
    remedy: "See run_status.",
  });
  expect(checks.filter(({ message }) => message.includes(differs))).toHaveLength(1);

  expect(played("incomplete", "system prompt", "120 EUR", "error").of("run_status")).toMatchObject({
    outcome: "incomplete",
    message: `${differs}: call 2: system prompt: 12[-0-]{+1+}; with the recorded answers: broken`,
  });
});
