import { describe, expect, test } from "vitest";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { loadSpec } from "../../src/spec/load.ts";

function problemsOf(query: string) {
  const text = `agent: shop\nqueries:\n  - query: Where is my order?\n${query.replace(/^/gm, "    ")}\n`;
  return loadSpec({ file: "shop.yaml", text }, { checks }).problems;
}

const pattern = 'match: { pattern: "Where is order {order}?" }';

describe("braces in a check", () => {
  test.each([
    ["of a query without a pattern", 'correctness: { expected_in_answer: ["{order}"] }', "captures nothing"],
    [
      "of another name than the pattern's",
      `${pattern}\ncorrectness: { expected_in_answer: ["{order}", "{ordre}"] }`,
      "captures order",
    ],
    ["in a forbidden term", `${pattern}\ncorrectness: { not_in_answer: ["no {oder}"] }`, "captures order"],
    ["in a pattern of the answer", `${pattern}\ncorrectness: { regex_match: "^{oder}$" }`, "captures order"],
    [
      "in arguments",
      `${pattern}\npath: { expected_tool_calls: [{ name: find, arguments: { id: { of: "{oder}" } } }] }`,
      "captures order",
    ],
    [
      "of a turn",
      `scope: conversation\nturns: [{ query: Hi, capture: { ticket: "T-[0-9]+" } }, { query: And?, correctness: { expected_in_answer: ["{tiket}"] } }]`,
      "captures ticket",
    ],
    [
      "of a named group",
      `match: { pattern: "order (?P<number>[0-9]+)" }\ncorrectness: { exact_match: "{nr}" }`,
      "captures number",
    ],
  ])("%s that nothing captures is an error", (_, query, captured) => {
    const [problem, ...others] = problemsOf(query).filter(({ severity }) => severity === "error");
    expect(problem).toMatchObject({
      code: "spec/unknown-variable",
      message: expect.stringContaining(captured) as string,
      hint: expect.stringMatching(/did you mean `\{\w+\}`\?|match: \{ pattern/) as string,
    });
    expect(problem?.line).toBeGreaterThan(3);
    expect(others).toEqual([]);
  });

  test.each([
    ["captured", `${pattern}\ncorrectness: { expected_in_answer: ["{order}"] }`],
    ["escaped", String.raw`correctness: { not_in_answer: ["\\{name}"] }`],
    ["escaped in a pattern", String.raw`correctness: { regex_match: '\{name\} \p{Greek} a{2}' }`],
    ["of a template", 'correctness: { not_in_answer: ["{{name}}"] }'],
    ["of a JSON Schema", 'correctness: { json_schema: { const: "{name}" } }'],
    ["of a rubric", 'correctness: { llm_judge: [{ rule: "names {number}" }] }'],
    ["of JSON", `correctness: { expected_in_answer: ['{"a": 1}', "{}", "{ name }"] }`],
  ])("%s are none", (_, query) => {
    expect(problemsOf(query)).toEqual([]);
  });
});
