import { describe, expect, test } from "vitest";
import { type Evaluation } from "../../src/evaluate/evaluate.ts";
import { evaluationOf, queryIn } from "../support/evaluation-of.ts";
import { specOf } from "../support/spec-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { evaluatedBy } from "./support/judging.ts";
import { replied, said, type ScriptedPort, scriptedPort } from "./support/scripted-port.ts";

/** Gives each of the four criteria so much of 1. */
function rating(share: number): ScriptedPort {
  const criteria = ["answers_question", "accurate", "structured", "follows_instructions"].map((id) => ({
    id,
    rationale: "because",
    score: share,
    applies: "yes",
  }));
  return scriptedPort(() => replied({ criteria, label: "pass", rationale: "because" }));
}

async function scored(
  scoring: string,
  port: ScriptedPort,
  tools: readonly string[] = ["search"],
  more = "",
): Promise<Evaluation> {
  const spec = specOf(`agent: "*"
${more}
queries:
  - query: "*"
    path: { expected_tools: [search], expected_tool_sequence: [search], forbidden_tools: [delete_all] }
    scoring: ${scoring}
`);
  return evaluatedBy(spec, port, runOf({ tools }));
}

function minScore({ layers }: Evaluation) {
  return layers.path.checks.find(({ check }) => check === "scoring.min_score");
}

describe("EvalView's score", () => {
  test("a forbidden tool asks nobody; under preset evalview the score is 0, and what it would have been is said", async () => {
    const port = rating(1);
    const evaluation = await scored("{ min_score: 10 }", port, ["search", "delete-all"], "preset: evalview");

    expect(port.asked).toEqual([]);
    expect(minScore(evaluation)).toMatchObject({ outcome: "fail", value: 0 });
    expect(minScore(evaluation)?.message).toBe("a forbidden tool was called: score 0 instead of 50 to 100");
    expect(evaluation.metrics.get("score")).toBe(0);
  });

  describe("of a run that failed before its judge counts 0 for the judged part", () => {
    const failing = "defaults: { correctness: { expected_in_answer: [no such word] } }";

    test("whatever min_score asks for, and nobody is asked", async () => {
      const port = rating(1);
      const evaluation = await scored("{ min_score: 60 }", port, ["search"], failing);

      expect(port.asked).toEqual([]);
      expect(evaluation).toMatchObject({ outcome: "fail" });
      expect(evaluation.metrics.get("score")).toBe(50);
      expect(minScore(evaluation)).toMatchObject({
        outcome: "skip",
        value: 50,
        message: "a check failed before output quality was judged",
        remedy: null,
      });
    });

    test.each<[tools: readonly string[], score: number]>([
      [["search"], 50],
      [["search", "more"], 50],
      [[], 0],
      [["other"], 0],
    ])("by the tools and the sequence: %j is %f", async (tools, score) => {
      const { metrics } = await scored("{}", rating(1), tools, failing);

      expect(metrics.get("score")).toBe(score);
    });

    test("a rubric that fails is a check before it, too", async () => {
      const port = scriptedPort(({ rubric }) => (rubric === "polite" ? replied(said(1)) : "down"));
      const polite = "defaults: { correctness: { llm_judge: [{ name: polite, rule: is polite }] } }";

      expect((await scored("{}", port, ["search"], polite)).metrics.get("score")).toBe(50);
    });

    test("unless its tools are hidden, or it is not complete: then it is unknown", async () => {
      const spec = specOf(`agent: "*"
queries: [{ query: "*", correctness: { not_in_answer: [way] }, path: { expected_tools: [search] }, scoring: {} }]
`);
      const query = queryIn(spec);
      const scoreOf = (run: RunText) =>
        evaluationOf(runOf(run), query, { judge: "incomplete" }).metrics.get("score");

      expect(scoreOf({ tools: ["search"] })).toBe(50);
      expect(scoreOf({ tools: [{ name: null }] })).toBeNull();
      expect(scoreOf({ tools: ["search"], complete: false, closeReason: "idle" })).toBeNull();
    });
  });

  test("a forbidden tool scores 0 under preset evalview even where other calls have no name", async () => {
    const spec = specOf(`agent: "*"
preset: evalview
queries: [{ query: "*", path: { forbidden_tools: [delete_all] }, scoring: {} }]
`);
    const query = queryIn(spec);
    for (const name of ["DeleteAll", "delete/all", "mcp__disk__delete_all"]) {
      const { metrics } = evaluationOf(runOf({ tools: [name, { name: null }] }), query);

      expect(metrics.get("score")).toBe(0);
    }
  });

  test("a judge that fails leaves it open", async () => {
    const evaluation = await scored(
      "{ min_score: 95 }",
      scriptedPort(() => "down"),
    );

    expect(minScore(evaluation)?.outcome).toBe("incomplete");
    expect(evaluation.metrics.get("score")).toBeNull();
  });
});
