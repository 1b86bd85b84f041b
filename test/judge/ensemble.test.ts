import { expect, test } from "vitest";
import { type Ballot, majorityLabel, needsMoreVotes, tally } from "../../src/evaluate/judge/ask/ensemble.ts";
import { panelAdvice, modelFamily } from "../../src/evaluate/judge/family.ts";
import { sampled } from "../../src/evaluate/judge/ask/session.ts";
import type { JudgeLabel } from "../../src/evaluate/judge/reply/scored.ts";
import type { EnsembleStrategy } from "../../src/evaluate/judge/settings.ts";

const votes = (...of: (readonly [number, JudgeLabel, number?])[]): Ballot[] =>
  of.map(([score, label, confidence]) => ({ score, label, confidence: confidence ?? null }));

test.each<[string, JudgeLabel[], JudgeLabel]>([
  ["two against one", ["pass", "fail", "pass"], "pass"],
  ["all different: a tie", ["pass", "fail", "borderline"], "borderline"],
  ["one against one: a tie", ["pass", "fail"], "borderline"],
  ["fails outnumber", ["fail", "fail", "pass"], "fail"],
  ["one vote", ["fail"], "fail"],
])("the majority's label, %s", (_, labels, label) => {
  expect(majorityLabel(labels)).toBe(label);
});

test.each<[string, Ballot[], number, boolean, number]>([
  ["majority passes, mean reaches", votes([4, "pass"], [4, "pass"], [4, "fail"]), 4, true, 4],
  [
    "majority passes, mean 3.67 does not reach 4",
    votes([4, "pass"], [4, "pass"], [3, "fail"]),
    4,
    false,
    11 / 3,
  ],
  ["majority fails though the mean reaches", votes([5, "fail"], [5, "fail"], [5, "pass"]), 3, false, 5],
  [
    "borderline majority does not block",
    votes([3, "borderline"], [3, "borderline"], [3, "fail"]),
    3,
    true,
    3,
  ],
  ["a tie is borderline and does not block", votes([3, "pass"], [3, "fail"]), 3, true, 3],
  ["equality passes", votes([3, "pass"], [4, "pass"], [5, "pass"]), 4, true, 4],
])("majority_vote: %s", (_, ballots, threshold, passed, score) => {
  expect(tally(ballots, "majority_vote", threshold)).toMatchObject({ passed, score });
});

test.each<[EnsembleStrategy, number]>([
  ["mean", 10 / 3],
  ["median", 4],
  ["min", 1],
  ["max", 5],
  ["consensus", (5 * 0.9 + 4 * 0.5 + 1 * 0.1) / 1.5],
])("%s of 5, 4 and 1 is %f", (strategy, score) => {
  expect(tally(votes([5, "pass", 0.9], [4, "pass", 0.5], [1, "fail", 0.1]), strategy, 3).score).toBeCloseTo(
    score,
    12,
  );
});

test("the median of an even number of votes is the mean of the middle two", () => {
  expect(tally(votes([1, "fail"], [2, "fail"], [5, "pass"], [4, "pass"]), "median", 3).score).toBe(3);
});

test.each([
  ["all confidences are 0", votes([5, "pass", 0], [2, "fail", 0])],
  ["one confidence is unknown", votes([5, "pass", 0.9], [2, "fail"])],
])("consensus is the plain mean when %s", (_, ballots) => {
  expect(tally(ballots, "consensus", 3).score).toBe(3.5);
});

test("votes without a score have no aggregate and do not pass", () => {
  expect(tally([{ score: null, label: "borderline", confidence: null }], "mean", 0)).toMatchObject({
    score: null,
    passed: false,
  });
});

test.each<[string, Ballot[], boolean]>([
  ["agreement", votes([4, "pass", 0.9], [4, "pass", 0.9], [5, "pass", 0.9]), false],
  ["a range of half the scale", votes([3, "borderline", 0.9], [5, "pass", 0.9]), true],
  ["little confidence", votes([4, "pass", 0.5], [4, "pass", 0.6]), true],
])("more votes are wanted under %s: %s", (_, ballots, wanted) => {
  expect(needsMoreVotes(ballots, 4)).toBe(wanted);
});

test("a share of runs is sampled, always the same ones", () => {
  const runs = Array.from({ length: 4000 }, (_, i) => `trace-${i}`);
  const chosen = runs.filter((it) => sampled(it, 0.2));

  expect(chosen.length).toBeGreaterThan(700);
  expect(chosen.length).toBeLessThan(900);
  expect(runs.filter((it) => sampled(it, 0.2))).toEqual(chosen);
  expect(chosen.every((it) => sampled(it, 0.5))).toBe(true);
  expect([runs.filter((it) => sampled(it, 0)).length, runs.filter((it) => sampled(it, 1)).length]).toEqual([
    0, 4000,
  ]);
});

test.each([
  ["claude-sonnet-4-6", "Anthropic"],
  ["openrouter/anthropic/claude-3.5-sonnet", "Anthropic"],
  ["gpt-4o-mini", "OpenAI"],
  ["openai/o3", "OpenAI"],
  ["ollama/llama3.3:70b", "Meta"],
  ["mistral-large-latest", "Mistral"],
  ["google/gemini-2.5-flash", "Google"],
  ["house/our-own", null],
])("%s is of the family %s", (model, family) => {
  expect(modelFamily(model)).toBe(family);
});

test("advice names judges of one family, and judges listed twice", () => {
  expect(panelAdvice(["claude-sonnet-4-6", "gpt-4o", "gemini-2.5-flash"])).toEqual([]);
  expect(panelAdvice(["gpt-4o", "gpt-4o-mini"])[0]).toContain("OpenAI");
  expect(panelAdvice(["claude-sonnet-4-6", "gpt-4o-mini", "gpt-4o-mini"])[0]).toContain("gpt-4o-mini");
});
