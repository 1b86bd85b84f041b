import { expect, test } from "vitest";
import { readLabels } from "../../src/evaluate/judge/audit/labels.ts";
import { specOf } from "../support/spec-of.ts";

/* Maps whose keys the user chooses: no key is dropped. */

function specWith(query: string, head = "agent: '*'"): string {
  return `{ version: 1, ${head}, queries: [{ query: Hi, ${query} }] }`;
}

test.each([
  ["tool_budgets", specWith("cost: { tool_budgets: { __proto__: { max_calls: 0 } } }")],
  ["agent_budgets", specWith("cost: { agent_budgets: { a: {}, __proto__: { max_llm_calls: 0 } } }")],
  [
    "tool_categories",
    specWith("path: { tool_categories: { __proto__: [x] }, expected_tool_categories: [__proto__] }"),
  ],
  ["where", specWith("match: { where: { __proto__: x } }")],
  ["pass_at_k", specWith("reliability: { min_runs: 2, pass_at_k: { __proto__: 0.5 } }")],
  ["a query", specWith("__proto__: { path: { forbidden_tools: [drop] } }")],
  ["a block", specWith("path: { __proto__: { forbidden_tools: [drop] } }")],
  ["the head", specWith("path: { max_loops: 1 }", "agent: '*', __proto__: { severity: { path: fail } }")],
  ["defaults", specWith("path: {}", "agent: '*', defaults: { path: { __proto__: 1 } }")],
])("a key __proto__ in %s is an error", (_, text) => {
  expect(() => specOf(text)).toThrow(/__proto__/);
});

test("names that objects have by themselves are names like others", () => {
  const cost = "cost: { tool_budgets: { constructor: { max_calls: 0 }, toString: { max_calls: 1 } } }";
  expect(specOf(specWith(cost)).queries[0]?.settings.cost).toEqual({
    tool_budgets: { constructor: { max_calls: 0 }, toString: { max_calls: 1 } },
  });
});

test("labels of a judge audit", () => {
  expect(readLabels("__proto__: pass\nother: fail\n").ok).toBe(false);
  expect(readLabels("other: fail\n").ok).toBe(true);
});
