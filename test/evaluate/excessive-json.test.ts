import { describe, expect, test } from "vitest";
import { extractJson } from "../../src/evaluate/judge/reply/extract-json.ts";
import { readReply } from "../../src/judge/user-checks/reply.ts";
import { evaluationOf } from "../support/evaluation-of.ts";
import { queryOf } from "../support/query-of.ts";
import { onSmallStack, TOO_MANY_ARGUMENTS } from "../support/small-stack.ts";
import { runOf } from "../support/run-of.ts";

const lists = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const objects = (levels: number): string => `${'{"score":'.repeat(levels)}1${"}".repeat(levels)}`;

const texts: readonly (readonly [string, string])[] = [
  ["101 lists", lists(101)],
  ["101 objects", objects(101)],
  ["a hundred thousand lists", lists(100_000)],
  ["200,000 values", `[${"1,".repeat(200_000)}1]`],
];

describe.each(texts)("JSON of %s", (_, text) => {
  test("as an answer is not validated against a schema: neither pass nor fail", () => {
    const query = queryOf({ correctness: { json_schema: {} } });
    const { layers } = evaluationOf(runOf({ answer: text }), query);
    const [result] = layers.correctness.checks.filter(({ check }) => check === "json_schema");

    expect(result).toMatchObject({ outcome: "incomplete", missing: ["answer"] });
    expect(result?.remedy).toMatch(/smaller document/);
  });

  test.each([
    ["alone", text],
    ["in words", `My verdict: ${text} as you see.`],
    ["in an object among words", `My verdict: {"score": ${text}} as you see.`],
  ])("as a judge's reply, %s, gives no value, not even one inside it", (__, reply) => {
    expect(extractJson(reply)).toBe(reply);
  });

  test("as a result of a user's check is an error of the check", () => {
    expect(readReply(`{"pass": true, "value": ${text}}`)).toMatchObject({ outcome: "error" });
  });
});

test("more values without evidence than a function can have arguments are a violation", () => {
  const query = queryOf({ correctness: { grounded: { in: "arguments", kinds: ["number"] } } });
  const values = Array.from({ length: TOO_MANY_ARGUMENTS }, (_, at) => at + 1.5).join(" ");
  const run = runOf({ tools: [{ name: "add", arguments: { values }, result: "done" }] });
  const { layers } = onSmallStack(() => evaluationOf(run, query));
  expect(layers.correctness.checks.find(({ check }) => check === "grounded")).toMatchObject({
    outcome: "fail",
  });
});
