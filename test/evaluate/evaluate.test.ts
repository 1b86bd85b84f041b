import { describe, expect, test } from "vitest";
import type { NoReference } from "../../src/evaluate/checks/check.ts";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf } from "../support/run-of.ts";

const notAsked: NoReference = { missing: "not-asked", version: null };
const off = { reference: notAsked, judge: "off" } as const;

/** The seeds' weather query, as the RAG agent's spec asserts it. */
const weather = queryOf({
  text: "What's the weather in Tokyo?",
  correctness: { not_in_answer: ["degrees", "forecast", "sunny", "rain"] },
  path: { max_tool_calls: 0, forbidden_tools: ["tavily_search", "web_search"], max_loops: 1 },
  cost: { max_llm_calls: 2, max_total_tokens: 500 },
});

describe("the weather query of the seeds", () => {
  test("the broken agent warns in path and cost, with the numbers and the repeated tool", () => {
    const broken = runOf({
      answer: "I could not find that in my documents.",
      tools: Array.from({ length: 11 }, () => "retriever_tool"),
      llmCalls: 11,
      usage: { input: 3900, output: 300 },
      durationMs: 8200,
    });
    const { layers, outcome, hardFail, metrics } = evaluateQuery(broken, weather, off);
    expect(outcome).toBe("warn");
    expect(hardFail).toBe(false);
    expect(layers.correctness).toMatchObject({ outcome: "pass" });
    expect(layers.path.checks.map(({ check, outcome, value }) => [check, outcome, value])).toEqual([
      ["max_tool_calls", "warn", 11],
      ["forbidden_tools", "pass", []],
      ["max_loops", "warn", 10],
    ]);
    expect(layers.path.checks[0]?.message).toBe("11 tool calls, at most 0 allowed: retriever_tool ×11");
    expect(layers.cost.checks.map(({ message }) => message)).toEqual([
      "11 model calls, at most 2 allowed",
      "4,200 tokens, at most 500 allowed",
    ]);
    expect(Object.fromEntries(metrics)).toMatchObject({
      tool_calls: 11,
      loops: 10,
      total_tokens: 4200,
      tool_recall: null,
    });
  });

  test("the fixed agent passes", () => {
    const fixed = runOf({
      answer: "That is outside what I know about.",
      llmCalls: 1,
      usage: { input: 150, output: 30 },
    });
    expect(evaluateQuery(fixed, weather, off)).toMatchObject({ outcome: "pass", hardFail: false });
  });
});
