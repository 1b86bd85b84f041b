import { describe, expect, test } from "vitest";
import { evaluateWithJudges } from "../../src/evaluate/evaluate-with-judges.ts";
import type { Evaluation } from "../../src/evaluate/evaluate.ts";
import { specOf } from "../support/spec-of.ts";
import { runOf } from "../support/run-of.ts";
import { judgesOf } from "./support/judging.ts";
import { replied, type ScriptedPort, scriptedPort } from "./support/scripted-port.ts";

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
  const [query] = spec.queries;
  if (query === undefined) throw new Error("no query");
  return evaluateWithJudges(runOf({ tools }), query, {
    reference: { missing: "not-asked", version: null },
    judges: judgesOf(port),
    unasked: { judge: "incomplete" },
    spec: { settings: {}, contextFile: () => undefined },
    compiled: spec,
  });
}

function minScore({ layers }: Evaluation) {
  return layers.path.checks.find(({ check }) => check === "scoring.min_score");
}

describe("EvalView's score", () => {
  test("100 % of the tools, output 90 and 100 % of the sequence are 95.0 by the default weights", async () => {
    const evaluation = await scored("{ min_score: 95 }", rating(0.9));

    expect(minScore(evaluation)).toMatchObject({ outcome: "pass", metric: "score" });
    expect(evaluation.metrics.get("score")).toBeCloseTo(95, 9);
    expect(minScore(evaluation)?.judge).toMatchObject({ model: "openai/judge-1" });
  });

  test("below min_score warns, and fails under preset evalview", async () => {
    expect(minScore(await scored("{ min_score: 96 }", rating(0.9)))?.outcome).toBe("warn");
    expect(
      minScore(await scored("{ min_score: 96 }", rating(0.9), ["search"], "preset: evalview"))?.outcome,
    ).toBe("fail");
  });

  test("is a metric without min_score, too", async () => {
    expect((await scored("{}", rating(0.9))).metrics.get("score")).toBeCloseTo(95, 9);
  });

  test("asks nobody when the output does not count", async () => {
    const port = rating(0.9);
    const evaluation = await scored(
      "{ weights: { tool_accuracy: 1, output_quality: 0, sequence_correctness: 0 } }",
      port,
    );

    expect(evaluation.metrics.get("score")).toBe(100);
    expect(port.asked).toEqual([]);
  });

  test("a forbidden tool asks nobody; under preset evalview the score is 0, and what it would have been is said", async () => {
    const port = rating(1);
    const evaluation = await scored("{ min_score: 10 }", port, ["search", "delete-all"], "preset: evalview");

    expect(port.asked).toEqual([]);
    expect(minScore(evaluation)).toMatchObject({ outcome: "fail", value: 0 });
    expect(minScore(evaluation)?.message).toBe(
      "a forbidden tool was called: score 0, it would have been 50 to 100",
    );
    expect(evaluation.metrics.get("score")).toBe(0);
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
