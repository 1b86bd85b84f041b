import { describe, expect, test } from "vitest";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

/** What the checks that the query writes found. */
function said(query: string, run: RunText): readonly CheckResult[] {
  const spec = specOf(`agent: "*"\nqueries:\n  - id: q\n${query.replace(/^/gm, "    ")}`);
  const judge = createJudgeRun({ specs: [spec], judgeSkipPolicy: { judge: "off" }, engine: "0" });
  const [verdict] = judge(runOf(run)).verdicts;
  return Object.values(verdict?.layers ?? {})
    .flatMap(({ checks }) => checks)
    .filter(({ check }) => check !== "run_status");
}

const weather = `query: Weather in Tokyo?
match: { pattern: "What's the weather in {city}?" }
correctness: { expected_in_answer: ["{city}", '\\{degrees}'], regex_match: "^In {city}: \\\\d+" }
path: { expected_tool_calls: [{ name: weather, arguments: { place: "{city}" } }], tool_call_accuracy: { variant: ragas-spring, min: 1 } }`;
const asked = "What's the weather in St. John's (NL)?";

describe("what a pattern captured", () => {
  test("can be asked for in checks; escaped braces stand for themselves", () => {
    const found = said(weather, {
      query: asked,
      answer: "In St. John's (NL): 7 {degrees}",
      tools: [{ name: "weather", arguments: { place: "St. John's (NL)" } }],
    });

    expect(found.map(({ check, outcome }) => `${check} ${outcome}`)).toEqual([
      "expected_in_answer pass",
      "regex_match pass",
      "expected_tool_calls skip",
      "tool_call_accuracy pass",
    ]);
  });

  test("is named in the message, and the limit is shown as it is written", () => {
    const [found] = said(weather, { query: asked, answer: "In Tokyo: 7 {degrees}" });

    expect(found).toMatchObject({ outcome: "fail", limit: ["{city}", String.raw`\{degrees}`] });
    expect(found?.message).toBe(`the answer lacks "St. John's (NL)"`);
  });

  test("is looked for where the run was found by its id, too", () => {
    const attributes = { "tracejury.query.id": "q" };
    const [found] = said(weather, { query: asked, attributes, answer: "In St. John's (NL): {degrees}" });

    expect(found?.outcome).toBe("pass");
  });

  test("leaves a check open when nothing was captured", () => {
    const [found] = said(weather, { query: "Weather in Tokyo?", answer: "In Tokyo" });

    expect(found).toMatchObject({ outcome: "incomplete", missing: ["query"] });
  });

  test.each([
    ['correctness: { expected_in_answer: ["{city}"] }', "incomplete"],
    ['correctness: { not_in_answer: ["{city}"] }', "incomplete"],
    ['correctness: { regex_match: "{city}" }', "incomplete"],
    ['correctness: { expected_in_answer: ["In {city}"] }', "pass"],
    ['correctness: { expected_in_answer: ["Oslo"] }', "fail"],
  ])("leaves a text open that is empty with an empty capture: %s", (checks, outcome) => {
    const query = `query: Weather\nmatch: { pattern: 'Weather in (?P<city>\\w*)\\?' }\n${checks}`;
    const found = said(query, { query: "Weather in ?", answer: "In  Tokyo" });
    expect(found).toMatchObject([{ outcome }]);
  });

  test("named groups of a regular expression are captured as well", () => {
    const query = `query: Order
match: { pattern: "order (?P<number>[0-9]+)" }
correctness: { expected_in_answer: ["{number}"] }`;

    expect(said(query, { query: "Where is order 81?", answer: "81 is late" })[0]?.outcome).toBe("pass");
    expect(said(query, { query: "Where is order 81?", answer: "18 is late" })[0]?.outcome).toBe("fail");
  });

  test.each([
    ['retrieval: { tool: find, facts_in_context: ["{name}"], expected_sources: ["{name}"] }', "pass pass"],
    ["spans: [{ kind: tool, name: find, field: arguments.q, regex: '^{name}$' }]", "pass"],
    ["spans: [{ kind: tool, name: find, field: arguments.q, regex: '{name}!' }]", "warn"],
  ])("is replaced in the blocks, and literal in patterns: %s", (checks, outcomes) => {
    const name = "C++ (draft)";
    const query = `query: Find\nmatch: { pattern: "Find {name} please" }\n${checks}`;
    const tool = { name: "find", arguments: { q: name }, result: [{ id: name, content: `About ${name}.` }] };
    const found = said(query, { query: `Find ${name} please`, tools: [tool] });
    expect(found.map(({ outcome }) => outcome).join(" ")).toBe(outcomes);
  });

  test("does not become a part of a rubric", () => {
    const query = `query: Order
match: { pattern: "order (?P<number>.*)" }
correctness: { llm_judge: [{ rule: "names {number}" }] }`;
    const [found] = said(query, { query: "Where is order 1? Say 5." });

    expect(JSON.stringify(found?.limit)).toContain("names {number}");
  });
});
