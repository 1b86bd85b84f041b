import { describe, expect, test } from "vitest";
import { GroundingEvidence } from "../../../src/evaluate/checks/correctness/grounding/evidence.ts";
import { kinds } from "../../../src/evaluate/checks/correctness/grounding/reading.ts";
import { statedValues } from "../../../src/evaluate/checks/correctness/grounding/values.ts";
import { evaluationOf } from "../../support/evaluation-of.ts";
import { growthOf } from "../../support/growth.ts";
import { queryOf } from "../../support/query-of.ts";
import { runOf, type RunText } from "../../support/run-of.ts";

const all = new Set(kinds);
const stated = (text: string): string[] =>
  statedValues(text, all).map((value) => `${value.kind ?? "unread"}: ${value.text}`);

test.each([
  ["Order ORD-4711 ships.", ["id: ORD-4711"]],
  [
    "**4711** units at $1,200.50, 22°C, 45%",
    ["number: 4711", "number: $1,200.50", "number: 22°C", "number: 45%"],
  ],
  ["See https://shop.test/orders/81.", ["url: https://shop.test/orders/81"]],
  ["Write to jo@shop.test, please", ["email: jo@shop.test"]],
  ["Due 2025-03-09, or March 9, 2025", ["date: 2025-03-09", "date: March 9, 2025"]],
  ["1. First\n2) second\n  1. below\n3. third", []],
  ["**Step 1:** do it.\n**Step 2:** check.\n### Day 1 – Rome\n### Day 2", []],
  ["Step 1: a\nStep 3: b\nRoom 1: free", ["number: 3", "number: 1"]],
  ["It is free [1], too [2][1].\n[1]: a.md\n[^2] b.md【4:0†a.md】", []],
  ["Your seats are [1, 2].", ["number: 1", "number: 2"]],
  ["Your seat is [1].", ["number: 1"]],
  ["Scores: [1, 2], and [7].", ["number: 1", "number: 2", "number: 7"]],
  ["500. That is the price\n3. Third", ["number: 500", "number: 3"]],
  ["The 1st, at 14:30", ["number: 1st", "date: 14:30"]],
  ["v1.2.3 and 7f3a-99c2", ["id: v1.2.3", "id: 7f3a-99c2"]],
  ["1,2345.6,7", ["unread: 1,2345.6,7"]],
  ["Nothing to trace here", []],
])("%s", (text, expected) => {
  expect(stated(text)).toEqual(expected);
});

function grounded(limit: { in?: "answer" | "arguments"; kinds?: ("number" | "id")[] }, run: RunText) {
  const query = queryOf({ correctness: { grounded: limit } });
  return evaluationOf(runOf(run), query).layers.correctness.checks[0];
}

test.each<[string, (size: number) => string]>([
  ["a row of dots", (size) => `a${".".repeat(size)}b`],
  ["very many values", (size) => Array.from({ length: size / 10 }, (_, at) => `id-${at}x`).join(" ")],
  ["one endless number", (size) => "1".repeat(size)],
  ["lost characters", (size) => "1█ a█2 ".repeat(size / 10)],
  ["number words", (size) => "two to three days ".repeat(size / 20)],
  ["colons", (size) => "a:".repeat(size / 2)],
  ["addresses for people", (size) => "a [at] b ".repeat(size / 10)],
  ["sums of money", (size) => "$1 ".repeat(size / 10)],
  ["slashes", (size) => "1/".repeat(size / 10)],
  ["points", (size) => "1.".repeat(size / 2)],
  ["words without spaces", (size) => "a+".repeat(size / 2)],
])("%s ground themselves, in time in proportion to their length", (_, textOf) => {
  const work = (size: number): void => {
    const text = textOf(size);
    const evidence = new GroundingEvidence();
    evidence.add(text);
    expect(statedValues(text, all).filter((value) => !evidence.grounds(value))).toEqual([]);
  };
  expect(growthOf(work, { size: 4_000, times: 8, limit: 24 })).toBeLessThan(24);
});

describe("digits that cannot be read", () => {
  test("cannot pass, and do not fail", () => {
    expect(grounded({}, { query: "How much?", answer: "It is 1,2345.6,7." })).toMatchObject({
      outcome: "incomplete",
      missing: ["readable_values"],
      message: expect.stringContaining("1,2345.6,7") as string,
    });
  });

  test("pass where the evidence has them as they are written", () => {
    expect(grounded({}, { query: "Is it 1,2345.6,7?", answer: "It is 1,2345.6,7" })?.outcome).toBe("pass");
  });

  test("leave open what lost characters of the evidence may have been", () => {
    const tools = [{ name: "lookup", arguments: {}, result: { renews: "1█ May 2025" } }];
    expect(grounded({}, { answer: "It renews on 18 May 2025.", tools })).toMatchObject({
      outcome: "incomplete",
      missing: ["readable_values"],
      message: expect.stringContaining("lost characters: 18 May 2025 in the answer") as string,
    });
    expect(grounded({}, { answer: "It renews on 28 May 2025.", tools })?.outcome).toBe("fail");
  });

  test("do not hide an invented value beside them", () => {
    expect(grounded({}, { answer: "It is 1,2345.6,7, or 12." })?.outcome).toBe("fail");
  });
});

describe("the check", () => {
  test("only the kinds asked for", () => {
    expect(grounded({ kinds: ["id"] }, { answer: "It costs 13." })?.outcome).toBe("pass");
  });

  test("arguments must come from the query or an earlier result, not a later one", () => {
    const lookup = { name: "lookup", arguments: {}, result: { order: 815 } };
    const refund = { name: "refund", arguments: { order: 815 }, result: "ok" };
    expect(grounded({ in: "arguments" }, { tools: [lookup, refund] })?.outcome).toBe("pass");
    expect(grounded({ in: "arguments" }, { tools: [refund, lookup] })).toMatchObject({
      outcome: "fail",
      spanIds: ["7000000000000001"],
      message: expect.stringContaining("number 815 in the arguments of refund") as string,
    });
  });

  test.each([
    ["a result", { tools: [{ name: "lookup", result: undefined }] }, "tool_results"],
    ["the query", { query: null }, "query"],
    [
      "a document",
      { retrievals: [{ spanId: null, query: null, documents: [{ id: null, content: null, score: null }] }] },
      "retrievals",
    ],
  ])("%s that was not captured may hold the value", (_, run, missing) => {
    expect(grounded({}, { answer: "It costs 13.", ...run })).toMatchObject({
      outcome: "incomplete",
      missing: [missing],
    });
  });

  test("a retrieved document is evidence, and the query of the retrieval is not: the agent wrote it", () => {
    const retrieved = (query: string, content: string) => ({
      answer: "It costs 13.",
      retrievals: [{ spanId: null, query, documents: [{ id: "d", content, score: null }] }],
    });
    expect(grounded({}, retrieved("price", "13 euros"))?.outcome).toBe("pass");
    expect(grounded({}, retrieved("price 13", "no price"))?.outcome).toBe("fail");
  });

  test("arguments that were not captured may hold another value", () => {
    const run = { tools: [{ name: "lookup", arguments: undefined }] };
    expect(grounded({ in: "arguments" }, run)).toMatchObject({
      outcome: "incomplete",
      missing: ["tool_arguments"],
    });
  });

  test("but nothing is missing when every value is traced", () => {
    const run = { query: "13", answer: "13", tools: [{ name: "lookup", result: undefined }] };
    expect(grounded({}, run)?.outcome).toBe("pass");
  });
});
