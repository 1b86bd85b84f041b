import { describe, expect, test } from "vitest";
import { consoleReport } from "../../src/report/render/terminal/console.ts";
import { reportVerdict } from "../../src/report/render/findings/reported.ts";
import { runTree } from "../../src/report/render/commands/run-tree.ts";
import { colourTheme, plainTheme } from "../../src/report/render/terminal/printable.ts";
import { evaluated } from "../support/evaluated.ts";
import { resultOf } from "../support/result-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

const consoleText = (...all: Parameters<typeof consoleReport>) => [...consoleReport(...all)].join("");

/** The weather query of the RAG agent's spec. */
const weather = {
  id: "whats-the-weather-in-tokyo",
  correctness: { not_in_answer: ["degrees", "forecast"], llm_judge: [{ rule: "politely declines" }] },
  path: { max_tool_calls: 0, forbidden_tools: ["tavily_search"], max_loops: 1 },
  cost: { max_llm_calls: 2, max_total_tokens: 500 },
};
const broken: RunText = {
  query: "What's the weather in Tokyo?",
  answer: "My documents say nothing about it.",
  tools: Array.from({ length: 11 }, () => "retriever_tool"),
  llmCalls: 11,
  usage: { input: 3900, output: 300 },
  costUsd: 0.008,
  durationMs: 8200,
};

test("a remedy of several checks is named once", () => {
  const query = { correctness: { expected_in_answer: ["a"], not_in_answer: ["b"], regex_match: "c" } };
  const verdict = evaluated(query, { answer: null });
  const remedies = verdict.layers.correctness.checks.flatMap(({ remedy }) => remedy ?? []);
  expect(remedies.length).toBeGreaterThan(1);
  expect(new Set(remedies).size).toBe(1);
  const report = consoleText(resultOf({ verdicts: [reportVerdict(verdict)] }), plainTheme);
  expect(report.match(/^ {34}→ /gm)).toHaveLength(1);
});

test("a broken order of tools stands beside the expected one", () => {
  const path = { expected_tool_sequence: ["login", "search", "pay"], sequence_mode: "same-order" };
  const other = evaluated({ path }, { tools: ["login", "pay", "mail", "mail"] });
  const lines = consoleText(resultOf({ verdicts: [reportVerdict(other)] }), plainTheme).split("\n");
  const at = lines.findIndex((line) => /^ {3}tools /.test(line));
  expect(lines.slice(at, at + 5)).toEqual([
    "   tools          expected      happened",
    "                  login         login",
    "                - search",
    "                  pay           pay",
    "                +               mail ×2",
  ]);
});

test("of many queries without a run the first ones are listed", () => {
  const missing = Array.from({ length: 30 }, (_, at) => ({
    queryId: `q${at}`,
    query: `Q ${at}`,
    spec: "rag",
  }));
  const report = consoleText(resultOf({ missing }), plainTheme);
  expect(report).toContain("Queries without a run\n   rag · Q 0\n");
  expect(report).toContain("   … and 10 more");
});

describe("colour", () => {
  const result = resultOf({ verdicts: [reportVerdict(evaluated(weather, broken))] });

  test("only where the theme has it, and never the only sign", () => {
    // oxlint-disable-next-line no-control-regex
    const codes = /\u001b\[\d+m/g;
    expect(consoleText(result, plainTheme)).not.toMatch(codes);
    expect(consoleText(result, colourTheme)).toMatch(codes);
    expect(consoleText(result, colourTheme).replace(codes, "")).toBe(consoleText(result, plainTheme));
  });
});

test("what strangers wrote cannot drive the terminal in a report", () => {
  const evil = "\u001b[31m\n\nexit 0";
  const run: RunText = { query: evil, tools: [evil], answer: evil, handoffs: [evil] };
  const verdict = evaluated({ path: { max_tool_calls: 0 }, correctness: { exact_match: "x" } }, run);
  const report = consoleText(resultOf({ verdicts: [reportVerdict(verdict)] }), plainTheme);
  expect(report).not.toContain("\u001b");
  expect(report.split("\n").filter((line) => line.startsWith("exit"))).toHaveLength(1);
  expect(runTree(runOf(run), plainTheme)).not.toContain("\u001b");
});

test("a run as a tree", () => {
  const run = runOf({
    query: "Where is order 81?",
    answer: "It is on its way.",
    tools: [
      { name: "lookup_order", arguments: { order: 81 }, result: "shipped", startUnixMs: 20 },
      { name: "refund", executed: false, startUnixMs: 40 },
      { name: null, arguments: undefined, result: undefined, error: "timeout", startUnixMs: 50 },
    ],
    llm: [
      { model: "gpt-5", usage: { input: 1200, output: 15 }, startUnixMs: 10, durationMs: 600 },
      { model: "gpt-5", responseModel: "gpt-5-2025", startUnixMs: 30 },
    ],
    handoffs: [{ from: "triage", to: "billing", inferred: true }],
    retrievals: [{ spanId: null, query: "orders", documents: [] }],
    guardrails: [{ spanId: null, name: "pii", triggered: true }],
    missing: [
      { what: "usage", why: "one model call reports none" },
      { what: "cached_tokens", why: "not reported" },
    ],
    complete: false,
    closeReason: "idle",
  });
  expect(runTree(run, plainTheme)).toMatchInlineSnapshot(`
    "support  ok  1.0 s · 2 model calls · tokens unknown · cost unknown · not complete (idle)  4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7
    ├─ query   Where is order 81?
    ├─ model   gpt-5 (1,200 in, 15 out)  600 ms
    ├─ tool    lookup_order({"order":81}) → shipped  5 ms
    ├─ model   gpt-5-2025 (tokens unknown)  5 ms
    ├─ tool    refund({}) → done (not executed)  5 ms
    ├─ tool    unnamed tool(?)  5 ms  ✗ timeout
    ├─ hand-off triage → billing (inferred)
    ├─ retrieval orders 0 documents
    ├─ guardrail pii triggered
    ├─ answer  It is on its way.
    └─ unknown usage: one model call reports none"
  `);
});
