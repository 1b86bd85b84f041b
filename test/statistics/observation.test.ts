import { describe, expect, it } from "vitest";
import { groupKeyJson, observeJson } from "../../src/report/json/observe-json.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { sideOf } from "../../src/report/statistics/observation.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { checkOf, judgeRecordOf, verdictOf } from "../support/verdict-of.ts";

const observe = (verdict: Verdict, key: string) => observeJson(verdictJson(verdict), key);

const keyword = checkOf({ check: "expected_in_answer", layer: "correctness" });
const judge = checkOf({ check: "llm_judge", layer: "correctness", judge: judgeRecordOf() });
const budget = checkOf({ check: "max_cost_usd", layer: "cost" });

const ofRun = (run: RunText) => ({ run: runOf(run) });

describe("a verdict as an observation", () => {
  it("keeps outcome, metrics, answer and the tools that ran, in order", () => {
    const run = { answer: "Yes.", tools: ["search", { name: "drop", executed: false }, "book"] };
    const verdict = verdictOf([keyword], { ...ofRun(run), metrics: new Map([["tool_calls", 2]]) });
    expect(observe(verdict, "museum")).toEqual({
      key: "museum",
      runId: verdict.run.runId,
      outcome: "pass",
      metrics: new Map([["tool_calls", 2]]),
      answer: "Yes.",
      tools: ["search", "book"],
      usedForbiddenTool: false,
      deterministicPassed: true,
      judgePassed: null,
      ratings: [],
    });
  });

  it("tools are unknown when one of them has no name", () => {
    expect(observe(verdictOf([], ofRun({ tools: ["a", { name: null }] })), "q").tools).toBeNull();
  });

  it("tells what judges said from what other checks said; undecided checks say nothing", () => {
    const verdict = verdictOf([
      { ...keyword, outcome: "skip" },
      { ...budget, outcome: "warn" },
      { ...judge, outcome: "fail" },
    ]);
    expect(observe(verdict, "q")).toMatchObject({ deterministicPassed: true, judgePassed: false });
    const silent = verdictOf([{ ...judge, outcome: "error" }]);
    expect(observe(silent, "q")).toMatchObject({
      deterministicPassed: null,
      judgePassed: null,
      outcome: "error",
    });
  });
});

describe("the group of a verdict", () => {
  const run = {
    agent: "planner",
    models: ["small", "large"],
    attributes: { "service.version": "1.2", shard: 3, gone: null },
  };
  const verdict = verdictOf([], { queryId: "museum", ...ofRun(run) });

  it.each([
    ["query", "museum"],
    ["agent", "planner"],
    ["model", "large + small"],
    ["service.version", "1.2"],
    ["shard", "3"],
    ["gone", null],
    ["deployment.environment.name", null],
    ["toString", null],
  ])("by %s: %s", (groupBy, key) => {
    expect(groupKeyJson(verdictJson(verdict), groupBy)).toBe(key);
  });

  it("by model: none when the run names none", () => {
    expect(groupKeyJson(verdictJson(verdictOf([], ofRun({ models: [] }))), "model")).toBeNull();
  });
});

describe("a verdict read back from a results file", () => {
  const run = {
    answer: "Yes.",
    tools: ["search"],
    agent: "planner",
    models: ["gpt-5", "gpt-4o"],
    attributes: { "service.version": "1.2", shard: 3 },
  };
  const metrics = new Map([
    ["cost_usd", 0.5],
    ["tool_recall", null],
  ]);
  const verdict = verdictOf([keyword, { ...judge, outcome: "fail" }], { ...ofRun(run), metrics });
  const read = verdictJson(verdict);

  it("of an older version knows neither answer nor tools", () => {
    const { answer: _, tools: __, models: ___, ...older } = read;
    expect(observeJson(older, "q")).toMatchObject({ answer: null, tools: null });
    expect(groupKeyJson(older, "model")).toBeNull();
  });
});

it("passes with a warning are passes; undecided is neither", () => {
  const sides = (["pass", "warn", "fail", "incomplete", "error", "skip"] as const).map(sideOf);
  expect(sides).toEqual(["passed", "passed", "failed", "undecided", "undecided", "undecided"]);
});
