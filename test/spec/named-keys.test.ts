import { expect, test } from "vitest";
import { readLabels } from "../../src/evaluate/judge/audit/labels.ts";
import { specOf } from "../support/spec-of.ts";

/* Maps whose keys the user chooses: no key is dropped. */

function specWith(query: string, head = "agent: '*'"): string {
  return `{ version: 1, ${head}, queries: [{ query: Hi, ${query} }] }`;
}

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
