import { expect, test } from "vitest";
import { grouped, share } from "../../src/evaluate/rules/text.ts";
import { evaluated } from "../support/evaluated.ts";
import type { QueryText } from "../support/query-of.ts";
import type { RunText } from "../support/run-of.ts";

test.each([
  [0, "0"],
  [0.00012, "0.00012"],
  [-0.000072, "-0.000072"],
  [0.00049999, "0.0005"],
  [0.0005, "0.001"],
  [0.3333, "0.333"],
  [1e-9, "1e-9"],
  [4200, "4,200"],
  [-1234.5, "-1,234.5"],
])("%d is shown as %s, and only zero as 0", (value, text) => {
  expect(grouped(value)).toBe(text);
});

test.each([
  [2 / 3, 0.667, "0.6667", "0.667"],
  [0.8, 0.80001, "0.8", "0.80001"],
  [2 / 3, 2 / 3, "0.667", "0.667"],
  [0.5, 0.667, "0.5", "0.667"],
  [0.7 - 1e-16, 0.7, "0.7", "0.7"],
])("the share %d beside the limit %d is shown as %s beside %s", (value, limit, shown, beside) => {
  expect([share(value, limit), share(limit, value)]).toEqual([shown, beside]);
});

test.each<[QueryText, RunText, string]>([
  [
    { path: { expected_tools: ["a", "b", "c"], min_tool_recall: 0.667 } },
    { tools: ["a", "b"] },
    "0.6667, at least 0.667",
  ],
  [{ correctness: { rouge_1: { reference: "a b c", min: 0.66667 } } }, { answer: "a b d" }, "0.666667, at"],
  [{ cost: { max_latency_ms: 500 } }, { durationMs: 500.0004 }, "500 ms (500.0004 > 500), at most 500 ms"],
  [{ cost: { max_cost_usd: 0.01 } }, { costUsd: 0.0100000001 }, "$0.01 (0.0100000001 > 0.01), at most"],
  [
    { cost: { token_shares: { input: 0.66666 } } },
    { usage: { input: 2, output: 1 } },
    "input is 0.66667 of all tokens, at most 0.66666 allowed",
  ],
])("a violation of %j shows a value that differs from the limit", (query, run, expected) => {
  const { layers } = evaluated(query, run);
  const checks = [layers.correctness, layers.path, layers.cost].flatMap((layer) => layer.checks);
  const found = checks.find(({ outcome }) => outcome === "warn" || outcome === "fail");
  expect(found?.message).toContain(expected);
});
