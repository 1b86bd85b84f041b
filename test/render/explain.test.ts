import { expect, test } from "vitest";
import { explainConsole, explainJson } from "../../src/report/render/commands/explain.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";

test("a computed cost is rounded in the text, and exact in the JSON", () => {
  const explanation = {
    fact: "cost_usd",
    value: String(0.1836e-3 + 1e-19 * 200),
    from: [],
    passedOver: [],
    note: null,
    precedence: null,
  };
  expect(explanation.value.length).toBeGreaterThan(12);
  expect(explainConsole([explanation], [], plainTheme)).toBe("  cost_usd  $0.000184");
  expect(explainJson([explanation])).toMatchObject([{ value: explanation.value }]);
});
