import { afterEach, expect, test } from "vitest";
import { ruleIsOn, ruleNames, switchRules } from "../../src/runs/rules.ts";

afterEach(() => switchRules(new Set()));

test("a name that no rule has is refused", () => {
  expect(() => switchRules(new Set(["no such rule"]))).toThrow("unknown rule no such rule");
});

test.each(ruleNames)("%s is switched off, and no other rule is", (name) => {
  switchRules(new Set([name]));
  expect(ruleNames.filter((other) => !ruleIsOn(other))).toEqual([name]);
});
