import { describe, expect, test } from "vitest";
import { anomaliesOf } from "../../src/evaluate/checks/behaviour/anomalies.ts";
import { coherenceIssues } from "../../src/evaluate/checks/behaviour/coherence.ts";
import { trustFlags, trustOf } from "../../src/evaluate/checks/behaviour/trust.ts";
import { RunQuantities } from "../../src/evaluate/quantities/run-quantities.ts";
import { stalledCalls } from "../../src/evaluate/metrics/anomalies.ts";
import { evaluated } from "../support/evaluated.ts";
import { growthOf } from "../support/growth.ts";
import { runOf, type RunText, toolOf, type ToolText } from "../support/run-of.ts";

const calls = (...texts: readonly ToolText[]) => texts.map((text, at) => toolOf(text, at));
const golden = { name: "read", arguments: { path: "golden/a" } };
const unknownDuration = { what: "duration", why: "no end" };
const many = (text: ToolText, times: number): readonly ToolText[] =>
  Array.from({ length: times }, () => text);
const page = (number: number): ToolText => ({ name: "search", arguments: { page: number } });

test.each<[string, readonly ToolText[], readonly string[]]>([
  ["nothing", [], []],
  ["two equal calls", many("a", 2), []],
  ["three equal calls", many("a", 3), ["tool_loop"]],
  ["equal but for an argument", [page(1), page(2), page(3)], []],
  ["four calls of tools used before", ["a", page(1), ...many("a", 2), page(2), page(3)], []],
  ["five calls of tools used before", ["a", page(1), "a", page(2), "a", page(3), "a"], ["progress_stall"]],
  ["a new tool in between", ["a", page(1), "a", page(2), "new", page(3), "a"], []],
  ["a failure made again once", [{ name: "a", error: "no" }, "a"], []],
  ["a failure made again twice", [{ name: "a", error: "no" }, "a", "a"], ["tool_loop", "brittle_recovery"]],
  ["a failure at the end", ["a", "a", { name: "a", error: "no" }], ["tool_loop"]],
  ["a tool five times", [page(1), page(2), page(3), page(4), page(5)], ["excessive_retries"]],
  ["a tool four times", [page(1), page(2), page(3), page(4)], []],
  ["calls without a name", many({ name: null }, 9), []],
])("EvalView's behaviour anomalies: %s", (_, texts, patterns) => {
  expect(anomaliesOf(calls(...texts), []).map(({ pattern }) => pattern)).toEqual(patterns);
});

test("a call that repeats one of many is counted as stalled", () => {
  expect(stalledCalls(calls(...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 9].map(page)))).toBe(2);
});

test.each<[string, RunText, string]>([
  ["a captured call", { tools: [{ name: "read" }] }, "pass"],
  ["unknown arguments", { tools: [{ name: "read", arguments: undefined }] }, "incomplete"],
  ["an unknown result", { tools: [{ name: "read", result: undefined }] }, "incomplete"],
  ["the result of a failed call", { tools: [{ name: "read", result: undefined, error: "no" }] }, "pass"],
  ["an unknown duration", { tools: ["read"], durationMs: 50, missing: [unknownDuration] }, "incomplete"],
  ["no call and an unknown duration", { durationMs: 50, missing: [unknownDuration] }, "pass"],
  ["a sign beside unknown arguments", { tools: [golden, { name: "read", arguments: undefined }] }, "warn"],
])("min_trust with %s", (_, run, outcome) => {
  const { layers, metrics } = evaluated({ path: { min_trust: 0.9 } }, run);
  expect(layers.path.checks[0]?.outcome).toBe(outcome);
  expect(metrics.get("trust") === null).toBe(outcome === "incomplete" || run.tools?.length === 2);
});

const trust = (run: RunText): number => {
  const made = runOf(run);
  return trustOf(trustFlags(new RunQuantities(made)));
};

test.each<[string, RunText, number]>([
  ["nothing odd", { tools: ["search"], durationMs: 4000 }, 1],
  ["one leak", { tools: [{ name: "read", arguments: { path: ".evalview/x" } }] }, 0.85],
  ["a leak in what came back", { tools: [{ name: "ls", result: "ground_truth.json" }] }, 0.85],
  ["two leaks", { tools: [golden, { name: "ls", result: "answer-key" }] }, 0.7],
  ["a file of an evaluation", { tools: [{ name: "read", arguments: { path: "task.rubric" } }] }, 0.85],
  ["no file of an evaluation", { tools: [{ name: "read", arguments: { path: "a.evaluation.md" } }] }, 1],
  ["fast", { tools: ["a"], durationMs: 499 }, 0.95],
  ["very fast", { tools: ["a"], durationMs: 249 }, 0.85],
  ["fast without tools", { durationMs: 10 }, 1],
  ["not measured", { tools: ["a"], durationMs: 0 }, 1],
])("EvalView's trust: %s", (_, run, value) => {
  expect(trust(run)).toBe(value);
});

describe("EvalView's coherence", () => {
  const turn = (query: string, answer: string, ...tools: readonly string[]) =>
    runOf({ query, answer, tools });
  const found = (...turns: readonly ReturnType<typeof turn>[]) =>
    coherenceIssues(turns).map(({ category, turn: at }) => `${category} ${at}`);

  test("an answer that does not mention what the user names again", () => {
    const asked = (answer: string) =>
      found(turn("A room for Anna Berg?", "Yes."), turn("?", "Yes."), turn("And for Anna Berg?", answer));
    expect(asked("No.")).toEqual(["context_amnesia 3"]);
    expect(asked("None for Anna Berg.")).toEqual([]);
  });

  test.each([
    ["The door is open.", "The door is not open.", true],
    ["The door isn’t open.", "The door is open.", true],
    ["You don't have access.", "You have access.", true],
    ["You have access.", "You do not have access.", true],
    ["The price is $50.", "The price is $60.", true],
    ["The price is $50.", "The price is $50.00.", false],
    ["The price is 1,000.", "The price is 1000.", false],
    ["You have access.", "You have access.", false],
  ])("%s, then %s", (one, other, contradicts) => {
    expect(found(turn("?", one), turn("?", other))).toEqual(contradicts ? ["output_contradiction 2"] : []);
  });

  test("a turn that drops as many tools as it keeps, and other tools in the second half", () => {
    expect(found(turn("?", "", "a", "b"), turn("?", "", "a"))).toEqual(["tool_regression 2"]);
    expect(found(turn("?", "", "a", "b"), turn("?", "", "c"))).toEqual([]);
    expect(found(turn("?", "", "a"), turn("?", "", "b"), turn("?", "", "c"), turn("?", "", "d"))).toEqual([
      "strategy_drift 3",
    ]);
    const of = (...tools: readonly string[]) => found(...tools.map((tool) => turn("?", "", tool)));
    expect([of("a", "a", "b", "c"), of("a", "a", "b", "b")]).toEqual([["strategy_drift 3"], []]);
  });
});

test.each<[string, (size: number) => void]>([
  [
    "very long texts",
    (size) => {
      const answer = "the price is not a price ".repeat(size / 25);
      coherenceIssues([1, 2, 3].map(() => runOf({ answer, query: "A".repeat(size) })));
    },
  ],
  [
    "very many calls",
    (size) => anomaliesOf(calls(...Array.from({ length: size / 25 }, (_, at) => page(at))), []),
  ],
  [
    "a very long result",
    (size) => trustFlags(new RunQuantities(runOf({ tools: [{ name: "x", result: " ".repeat(size) }] }))),
  ],
])("%s take time in proportion to their length", (_, work) => {
  expect(growthOf(work, { size: 4_000, times: 8, limit: 24 })).toBeLessThan(24);
});
