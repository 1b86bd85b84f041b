import { expect, test } from "vitest";
import { evaluationResults } from "../../src/export/records/verdict-records.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import type { CheckResult, Verdict } from "../../src/model/verdict.ts";
import { runOf } from "../support/run-of.ts";
import { checkOf, judgedRun, judgeRecordOf, verdictOf } from "../support/verdict-of.ts";

function attributesOf(verdict: Verdict, name: string, content = false): Record<string, unknown> {
  const found = evaluationResults(verdict, content).results.find(
    (result) => result.attributes.get("gen_ai.evaluation.name") === name,
  );
  return Object.fromEntries(found?.attributes ?? []);
}

const recall = checkOf({
  check: "min_tool_recall",
  metric: "tool_recall",
  layer: "path",
  outcome: "warn",
  value: 0.5,
  limit: 0.8,
});

test("a verdict is said once, each layer once, each check once, in that order", () => {
  const verdict = verdictOf([checkOf({ check: "expected_in_answer", layer: "correctness" }), recall]);
  const names = evaluationResults(verdict, false).results.map((result) =>
    result.attributes.get("gen_ai.evaluation.name"),
  );
  expect(names).toEqual([
    "tracejury.verdict",
    "tracejury.correctness",
    "correctness.expected_in_answer",
    "tracejury.path",
    "path.tool_recall",
    "tracejury.cost",
  ]);
});

test("a measure has its value, its limit and both its names", () => {
  expect(attributesOf(verdictOf([recall]), "path.tool_recall")).toEqual({
    "gen_ai.evaluation.name": "path.tool_recall",
    "gen_ai.evaluation.score.label": "warn",
    "gen_ai.evaluation.score.value": 0.5,
    "gen_ai.evaluation.explanation": "min_tool_recall 0.8: failed (warning only), tool_recall is 0.5.",
    "tracejury.layer": "path",
    "tracejury.check.name": "min_tool_recall",
    "tracejury.check.limit": 0.8,
    "tracejury.evaluator.type": "code",
  });
});

const yesNo = { check: "regex_match", layer: "correctness", limit: "^On" } as const;
const measure = { check: "max_cost_usd", metric: "cost_usd", layer: "cost", limit: 1 } as const;

test.each<[string, CheckResult, number | undefined]>([
  ["a yes/no check that holds", checkOf({ ...yesNo, outcome: "pass" }), 1],
  ["a yes/no check that does not", checkOf({ ...yesNo, outcome: "fail" }), 0],
  ["a yes/no check that only warns", checkOf({ ...yesNo, outcome: "warn" }), 0],
  ["a yes/no check that is unknown", checkOf({ ...yesNo, outcome: "incomplete" }), undefined],
  ["a yes/no check that was skipped", checkOf({ ...yesNo, outcome: "skip" }), undefined],
  ["a measure of zero", checkOf({ ...measure, value: 0 }), 0],
  ["an unknown measure", checkOf({ ...measure, outcome: "incomplete" }), undefined],
  ["a measure without a number", checkOf({ ...measure, value: Number.NaN }), undefined],
])("the score of %s", (_, check, score) => {
  const name = `${check.layer}.${check.metric}`;
  expect(attributesOf(verdictOf([check]), name)["gen_ai.evaluation.score.value"]).toBe(score);
});

test.each<[Outcome, number | undefined, number | undefined]>([
  ["pass", 1, 1],
  ["warn", 1, 0],
  ["fail", 0, 0],
  ["skip", undefined, undefined],
  ["incomplete", undefined, undefined],
  ["error", undefined, undefined],
])("%s gives a verdict the score %s and a layer %s", (outcome, ofVerdict, ofLayer) => {
  const verdict = verdictOf([checkOf({ check: "max_loops", layer: "path", outcome })]);
  const score = "gen_ai.evaluation.score.value";
  const label = { "gen_ai.evaluation.score.label": outcome };
  expect(attributesOf(verdict, "tracejury.verdict")).toMatchObject(label);
  expect(attributesOf(verdict, "tracejury.verdict")[score]).toBe(ofVerdict);
  expect(attributesOf(verdict, "tracejury.path")).toMatchObject(label);
  expect(attributesOf(verdict, "tracejury.path")[score]).toBe(ofLayer);
});

test("answer text and rationale stay inside unless content is asked for", () => {
  const secret = "the safe's code is 1789";
  const check = checkOf({
    check: "llm_judge",
    layer: "correctness",
    outcome: "fail",
    value: secret,
    message: `judged bad: ${secret}`,
    remedy: null,
    judge: judgeRecordOf({ rationale: `because of ${secret}`, score: 2 }),
  });
  const verdict = verdictOf([check], { run: judgedRun({ answer: secret, query: secret }) });
  const everything = (content: boolean): string =>
    JSON.stringify(evaluationResults(verdict, content).results.map((one) => [...one.attributes]));
  expect(everything(false)).not.toContain("1789");
  expect(everything(true)).toContain(`because of ${secret}`);
  expect(attributesOf(verdict, "correctness.llm_judge")["gen_ai.evaluation.explanation"]).toBe(
    "llm_judge: failed, judged 2.",
  );
});

test("a judged check names the model and the hash of its prompt", () => {
  const check = checkOf({ check: "llm_judge", layer: "correctness", value: 4, judge: judgeRecordOf() });
  expect(attributesOf(verdictOf([check]), "correctness.llm_judge")).toMatchObject({
    "tracejury.evaluator.type": "llm",
    "tracejury.evaluator.model": "anthropic/claude-sonnet",
    "tracejury.evaluator.prompt.hash": "0a1b2c3d4e5f",
  });
});

test("an error has a type of few values, on the check, its layer and the verdict", () => {
  const verdict = verdictOf([
    checkOf({ check: "llm_judge", layer: "correctness", outcome: "error", judge: judgeRecordOf() }),
    checkOf({ check: "max_cost_usd", layer: "cost", outcome: "error", message: "no table for xyz" }),
  ]);
  expect(attributesOf(verdict, "correctness.llm_judge")["error.type"]).toBe("judge_error");
  expect(attributesOf(verdict, "cost.max_cost_usd")["error.type"]).toBe("evaluator_error");
  expect(attributesOf(verdict, "tracejury.cost")["error.type"]).toBe("evaluator_error");
  expect(attributesOf(verdict, "tracejury.verdict")["error.type"]).toBe("judge_error");
});

test("an error is called what the evaluator calls it", () => {
  const failed = { layer: "correctness", outcome: "error", errorType: "timeout" } as const;
  const verdict = verdictOf([checkOf({ check: "llm_judge", ...failed })]);
  expect(attributesOf(verdict, "tracejury.correctness")["error.type"]).toBe("timeout");
});

const skipped = { check: "match_mode", layer: "path", outcome: "skip", limit: "subset" } as const;

test.each([
  [
    checkOf({ ...skipped, message: "no baseline requested" }),
    "match_mode subset: not evaluated, no baseline requested.",
  ],
  [
    checkOf({ ...measure, outcome: "incomplete", missing: ["usage"], remedy: "Set include_usage." }),
    "max_cost_usd 1: undecided. Missing: usage. Set include_usage.",
  ],
])("a check without a result says why, and what to do (%#)", (check, explanation) => {
  const found = attributesOf(verdictOf([check]), `${check.layer}.${check.metric}`);
  expect(found["gen_ai.evaluation.explanation"]).toBe(explanation);
});

test("every record tells whose run it is, and which query of which spec", () => {
  const run = judgedRun({
    conversationId: "c-7",
    priceSource: "prices 2026-11",
    complete: false,
    closeReason: "idle",
    attributes: new Map([
      ["gen_ai.agent.id", "a-1"],
      ["gen_ai.agent.version", "3"],
      ["service.version", "1.4.0"],
      ["vcs.ref.head.revision", "9f1"],
    ]),
  });
  const { common } = evaluationResults(verdictOf([], { run, revision: 2 }), false);
  expect(Object.fromEntries(common)).toEqual({
    "gen_ai.agent.name": "planner",
    "gen_ai.agent.id": "a-1",
    "gen_ai.agent.version": "3",
    "gen_ai.conversation.id": "c-7",
    "test.suite.name": "travel",
    "test.case.name": "museum",
    "tracejury.verdict.id": "v-1",
    "tracejury.spec.name": "travel",
    "tracejury.spec.hash": "abcdef012345",
    "tracejury.query.id": "museum",
    "tracejury.run.id": run.runId,
    "tracejury.run.complete": false,
    "tracejury.run.close_reason": "idle",
    "tracejury.revision": 2n,
    "tracejury.price.source": "prices 2026-11",
    "service.version": "1.4.0",
    "vcs.ref.head.revision": "9f1",
  });
});

test("a sender's attributes cannot pass for ours, nor grow without bound", () => {
  const forged = [
    "tracejury.verdict.id",
    "tracejury.evaluator.model",
    "gen_ai.evaluation.score.label",
    "error.type",
    "openinference.span.kind",
    "langfuse.observation.type",
  ];
  const many = Array.from({ length: 500 }, (_, i) => [`vcs.x${i}`, "y".repeat(10_000)] as const);
  const attributes = new Map([...forged.map((name) => [name, "forged"] as const), ...many]);
  const { common } = evaluationResults(verdictOf([], { run: judgedRun({ attributes }) }), false);
  expect([...common.values()]).not.toContain("forged");
  expect(common.size).toBeLessThan(100);
  expect(Math.max(...[...common.values()].map((value) => String(value).length))).toBeLessThanOrEqual(1024);
});

test.each([
  ["the one span it rests on", ["b7ad6b7169203331"], "b7ad6b7169203331"],
  ["the root when it rests on several", ["b7ad6b7169203331", "b7ad6b7169203332"], "eee19b7ec3c1b174"],
  ["the root when it rests on none", [], "eee19b7ec3c1b174"],
])("a check's record is about %s", (_, spanIds, expected) => {
  const verdict = verdictOf([checkOf({ check: "max_tool_errors", layer: "path", spanIds })]);
  const record = evaluationResults(verdict, false).results.find(
    (result) => result.attributes.get("tracejury.check.name") === "max_tool_errors",
  );
  expect(record?.span).toEqual({ traceId: verdict.run.traceId, spanId: expected, traceFlags: 1 });
});

test("a check on one completion carries that completion's id", () => {
  const check = checkOf({ check: "regex_match", layer: "correctness", spanIds: ["b7ad6b7169203331"] });
  const run = runOf({
    traceId: judgedRun().traceId,
    llm: [{ spanId: "b7ad6b7169203331", responseId: "resp_1" }],
  });
  const verdict = verdictOf([check], { run });
  expect(attributesOf(verdict, "correctness.regex_match")["gen_ai.response.id"]).toBe("resp_1");
  expect(attributesOf(verdict, "tracejury.correctness")).not.toHaveProperty("gen_ai.response.id");
});
