import { reportUnjudged, reportVerdict } from "../../src/report/render/findings/reported.ts";
import type { TestResult } from "../../src/report/render/json/result.ts";
import { evaluated } from "../support/evaluated.ts";
import { resultOf } from "../support/result-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

const weather = {
  id: "weather",
  correctness: { not_in_answer: ["degrees"], expected_in_answer: ["documents"] },
  path: { max_tool_calls: 0, expected_tools: ["search"], forbidden_tools: ["rm"] },
  cost: { max_total_tokens: 500, max_cost_usd: 1 },
};
const broken: RunText = {
  query: "What's the weather in Tokyo?",
  answer: "It has 20 degrees.",
  tools: ["retriever", "retriever", "rm"],
  handoffs: ["billing"],
  llm: [{ model: "gpt-5", usage: { input: 3900, output: 300 }, durationMs: 600 }],
  usage: { input: 3900, output: 300 },
  durationMs: 8200,
};
const fixed: RunText = {
  ...broken,
  runId: "run-2",
  answer: "My documents say nothing about it.",
  tools: ["search"],
  handoffs: [],
  usage: { input: 150, output: 30 },
  costUsd: 0.002,
  startUnixMs: 1_750_000_100_000,
};

/** Every kind of thing that a result can hold. */
export function sampleResult(): TestResult {
  const stray = runOf({ query: "Hello?" });
  return resultOf({
    runs: 4,
    queries: 3,
    verdicts: [broken, fixed].map((run) => reportVerdict(evaluated(weather, run))),
    missing: [
      {
        queryId: "install",
        query: "How do I install it?",
        spec: "rag-agent",
        source: { file: "specs/rag-agent.yaml", line: 40, column: 5 },
      },
    ],
    unmatched: [reportUnjudged({ run: stray, spec: "rag-agent", reason: "no query fits", candidates: [] })],
    ambiguous: [
      reportUnjudged({ run: stray, spec: "rag-agent", reason: "several fit", candidates: ["a", "b"] }),
    ],
    invalidInput: [{ file: "dump.jsonl", line: 7, reason: "not JSON" }],
    gated: [{ spec: "rag-agent", queryId: "weather", reliability: { min_runs: 5, min_pass_rate: 0.8 } }],
  });
}

/** A result in which a stranger wrote everything that strangers write. */
export function hostileResult(text: string): TestResult {
  const run: RunText = {
    query: text,
    answer: text,
    status: "error",
    error: text,
    agent: text,
    tools: [text, { name: "x", error: text }],
    handoffs: [text],
  };
  const asked = {
    correctness: { exact_match: text || "x", not_in_answer: [text || "x"] },
    path: { max_tool_calls: 0, expected_tools: [text.trim() === "" ? `x${text}` : text] },
    cost: { max_cost_usd: 1 },
  };
  const stray = runOf(run);
  return resultOf({
    verdicts: [reportVerdict(evaluated(asked, run))],
    missing: [{ queryId: "q", query: text, spec: text }],
    ambiguous: [reportUnjudged({ run: stray, spec: text, reason: text, candidates: [text] })],
    unmatched: [reportUnjudged({ run: stray, spec: text, reason: text, candidates: [] })],
    invalidInput: [{ file: text, line: null, reason: text }],
  });
}

/** Pieces that some format takes for a sign. */
export const hostilePieces = [
  "\n::error file=x::boo",
  "##[error]boo",
  "##teamcity[buildStop]",
  "##vso[task.complete]",
  "::set-env name=A::b",
  "]]>",
  "<!--",
  "-->",
  "<script>alert(1)</script>",
  "</script>",
  "&amp;",
  '"',
  "'",
  "`",
  "|",
  "\\",
  "\r\n",
  "\t",
  "\u0000",
  "\u001b[31m",
  "\u202e",
  "\u2066",
  "\u2028",
  "\u2028::set-env name=A::b",
  "\ufffe",
  "\ud800",
  "=cmd|'/C calc'!A0",
  "+1",
  "-1",
  "@team",
  "%0A",
  "%",
  ",",
  ":",
  "{}",
  "<img src=x onerror=alert(1)>",
  "😀",
];
