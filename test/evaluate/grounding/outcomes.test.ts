import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { evaluated } from "../../support/evaluated.ts";

const lines = readFileSync("test/evaluate/grounding/outcomes.txt", "utf8").split("\n");
const rows = lines
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" | ") as [outcome: string, told: string, stated: string]);

test("the table has 229 rows", () => expect(rows.length).toBeGreaterThanOrEqual(229));

test.each(rows)("%s: %j beside %j", (outcome, told, stated) => {
  const run = { query: "Tell me.", answer: stated, tools: [{ name: "look", result: told }] };
  const checks = evaluated({ correctness: { grounded: {} } }, run).layers.correctness.checks;
  expect(checks.find(({ check }) => check === "grounded")?.outcome).toBe(outcome);
});
