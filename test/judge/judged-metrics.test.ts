import { describe, expect, test } from "vitest";
import { evaluateWithJudges } from "../../src/evaluate/evaluate-with-judges.ts";
import type { JudgeRequest } from "../../src/evaluate/judge/ask/port.ts";
import type { JudgeSettings } from "../../src/evaluate/judge/settings.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { queryOf, type QueryText } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";
import { judgesOf } from "./support/judging.ts";
import { replied, said, type ScriptedPort, scriptedPort } from "./support/scripted-port.ts";

const criteria = [
  { id: "right", text: "is right", weight: 3 },
  { id: "short", text: "is short" },
];
const scores = (right: number | null, short: number | null): JsonValue => ({
  rationale: "so",
  criteria: [
    { id: "right", reason: "r", applicable: right !== null, score: right },
    { id: "short", reason: "r", applicable: short !== null, score: short },
  ],
});

/** Gives each rubric the reply that is written for it; "down" for any other. */
function byRubric(replies: Readonly<Record<string, JsonValue | ((request: JudgeRequest) => JsonValue)>>) {
  return scriptedPort((request) => {
    const reply = replies[request.rubric];
    if (reply === undefined) return "down";
    return replied(typeof reply === "function" ? reply(request) : reply);
  });
}

async function metricsOf(
  port: ScriptedPort | null,
  text: QueryText,
  run: RunText = {},
  settings: JudgeSettings = {},
) {
  const evaluation = await evaluateWithJudges(runOf(run), queryOf(text), {
    reference: { missing: "not-asked", version: null },
    judges: port === null ? undefined : judgesOf(port),
    judgeSkipPolicy: { judge: "off" },
    spec: { settings, contextFile: () => undefined },
    compiled: specOf('agent: "*"\nqueries: [{ query: "*" }]\n'),
  });
  return Object.fromEntries(evaluation.metrics);
}

describe("what judges measure is in the verdict's metrics", () => {
  test("impl_rate of weighted criteria, and the score of each rubric on its own scale", async () => {
    const port = byRubric({ work: scores(1, 0.4), polite: said(4), "safety@1": said(5) });
    const metrics = await metricsOf(port, {
      correctness: {
        llm_judge: [
          { name: "work", criteria },
          { name: "polite", rule: "is polite" },
        ],
        safety_check: true,
      },
    });

    expect(metrics).toMatchObject({
      impl_rate: (3 * 1 + 0.4) / 4,
      "rubric.work": (3 * 1 + 0.4) / 4,
      "rubric.polite": 4,
      "rubric.safety@1": 5,
    });
  });

  test("goal_accuracy and topic_adherence", async () => {
    const port = byRubric({
      goal_accuracy: ({ model }) => ({ achieved: model !== "c", rationale: "r" }),
      topic_adherence: ({ system }) =>
        system.includes("list the distinct topics")
          ? { topics: ["orders", "football"] }
          : {
              rationale: "r",
              topics: [
                { topic: 1, allowed: [1] },
                { topic: 2, allowed: [] },
              ],
            },
    });
    const metrics = await metricsOf(
      port,
      {
        correctness: {
          goal_accuracy: "the order is found",
          topic_adherence: { topics: ["orders"], mode: "precision" },
        },
      },
      { messages: [{ role: "user", name: null, text: "Where is it?", calls: [], results: [] }] },
      { ensemble: { enabled: true, models: ["a", "b", "c"] } },
    );

    expect(metrics).toMatchObject({ goal_accuracy: 2 / 3, topic_adherence: 0.5 });
  });
});

describe("what judges did not measure is null, not zero", () => {
  const correctness = { llm_judge: [{ name: "work", criteria }], goal_accuracy: 0.5 };

  test("where a check failed before them", async () => {
    const failing = { correctness: { ...correctness, expected_in_answer: ["no such word"] } };

    expect(await metricsOf(byRubric({}), failing)).toMatchObject({ impl_rate: null, goal_accuracy: null });
  });

  test("where the judge did not see all it should have", async () => {
    const port = byRubric({ "hallucination@1": said(2, "fail", { claims: [] }) });
    const run = { tools: [{ name: "search", result: undefined }] };
    const metrics = await metricsOf(port, { correctness: { hallucination_check: true } }, run);

    expect(metrics["rubric.hallucination@1"]).toBeNull();
  });
});
