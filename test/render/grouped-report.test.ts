import { describe, expect, it } from "vitest";
import { consoleReport, type Detail } from "../../src/report/render/terminal/console.ts";
import {
  reportUnjudged,
  reportVerdict,
  type ReportedVerdict,
} from "../../src/report/render/findings/reported.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";
import { derivedSpecName } from "../../src/spec/derived-name.ts";
import { evaluated } from "../support/evaluated.ts";
import { withVerdict } from "../support/with-verdict.ts";
import type { QueryText } from "../support/query-of.ts";
import { resultOf } from "../support/result-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

const weather = {
  id: "weather",
  path: { forbidden_tools: ["tavily_search"], max_tool_calls: 0 },
  cost: { max_total_tokens: 500 },
};
const searched: RunText = {
  query: "What's the weather?",
  tools: ["retriever_tool", "tavily_search", "tavily_search"],
  usage: { input: 4000, output: 200 },
};
const declined: RunText = { query: "What's the weather?", tools: [], usage: { input: 100, output: 20 } };
const wordy: RunText = { ...declined, usage: { input: 900, output: 20 } };
const unmetered: RunText = { ...declined, usage: { input: null, output: null } };

function runs(count: number, run: RunText, query: QueryText = weather): ReportedVerdict[] {
  return Array.from({ length: count }, (_, at) => {
    const reported = reportVerdict(evaluated(query, run));
    return withVerdict(reported, { ...reported.verdict, source: { file: "traces.jsonl", line: at + 1 } });
  });
}

function report(verdicts: readonly ReportedVerdict[], detail?: Detail): string {
  const result = resultOf({ verdicts, runs: verdicts.length });
  return [...consoleReport(result, plainTheme, detail)].join("");
}

describe("the report of many runs", () => {
  const many = [...runs(8, declined), ...runs(5, wordy), ...runs(3, unmetered), ...runs(4, searched)];
  const lines = report(many).split("\n");
  const at = (text: string): number => lines.findIndex((line) => line.includes(text));

  it("has one line for the runs that passed, of each kind of warning, and of what could not be decided", () => {
    expect(lines.filter((line) => line.includes("✓"))).toHaveLength(1);
    expect(lines[at("✓") - 1]).toMatch(/^ rag-agent +runs +median time +total cost$/);
    expect(lines[at("✓")]).toMatch(/✓ weather +×8 .*✗ 4 failed, below/);
    expect(lines[at("▲ weather")]).toContain("×5   max_total_tokens: 920 tokens, at most 500 allowed");
    expect(lines[at("? weather")]).toContain("×3   max_total_tokens: unknown (token usage was not captured)");
    expect(lines[at("? weather") + 2]).toBe("   → tracejury doctor DUMP   settings for missing evidence");
  });

  it("ends with the failures, once in full, with their count, an example and the next command", () => {
    expect(lines.filter((line) => line.includes("✗ FAIL"))).toHaveLength(1);
    expect(at("✗ FAIL")).toBeGreaterThan(Math.max(at("✓"), at("▲ weather"), at("? weather")));
    expect(lines[at("✗ FAIL")]).toContain("4 of 20 runs");
    const full = lines.slice(at("✗ FAIL")).join("\n");
    expect(full).toContain("forbidden_tools    tavily_search was called");
    expect(full).toContain(
      "▲ warnings         max_tool_calls 3 (limit 0) · max_total_tokens 4,200 (limit 500)",
    );
    expect(full).toMatch(/no tools +retriever_tool/);
    expect(full).toMatch(/− +tavily_search {2}×2 {4}forbidden/);
    expect(full).toContain("example  traces.jsonl:1");
    expect(full).toContain("also in  traces.jsonl:2");
    expect(full).toMatch(/→ tracejury inspect traces\.jsonl --run [0-9a-f]{12}/);
    expect(lines.at(-2)).toBe("exit 1: 4 runs failed, 3 verdicts are incomplete");
  });

  const verdicts = runs(12, declined);
  const strays = (count: number, reason: string) =>
    Array.from({ length: count }, () =>
      reportUnjudged({ run: runOf({ query: "Hm?" }), spec: "rag-agent", reason, candidates: [] }),
    );
  const unmatched = [...strays(2, "no query has the text"), ...strays(5, 'a run of "other"')];

  it("counts runs without a query by reason, the most frequent first, with the command that writes queries", () => {
    const result = resultOf({ verdicts, unmatched, runs: 19 });
    expect([...consoleReport(result, plainTheme)].join("")).toContain(
      ` 7 runs matched no query
   ×5  a run of "other"
   ×2  no query has the text
   → tracejury coverage DUMP --spec`,
    );
  });

  it("proposes no command for a derived spec, which is in no file", () => {
    const file = derivedSpecName(["good.jsonl"], "rag-agent");
    const result = resultOf({
      verdicts,
      unmatched,
      runs: 19,
      specs: [{ file, hash: "0123456789ab", agent: "rag-agent" }],
    });
    expect([...consoleReport(result, plainTheme)].join("")).not.toContain("tracejury coverage");
  });

  it("counts different messages of one check apart", () => {
    const forbidding = { ...weather, path: { forbidden_tools: ["tavily_search", "bash"] } };
    const both = runs(2, { ...searched, tools: ["tavily_search", "bash"] }, forbidding);
    expect(report([...runs(9, searched), ...both])).toMatch(/forbidden \(9 runs\)[^]*\(2 runs\)/);
  });

  it("lists many failures once more at the end, each with its source", () => {
    const queries = Array.from({ length: 12 }, (_, n) => runs(1, searched, { ...weather, id: `query-${n}` }));
    const last = report(queries.flat()).split("\n").slice(-20).join("\n");
    for (let n = 0; n < 12; n++)
      expect(last).toMatch(new RegExp(`query-${n} .*forbidden_tools +traces.jsonl:1`));
    expect(last).toContain("→ the same command with --last-failed   only the 12 queries that failed");
  });

  it("shows every run when it is asked to, and only what failed or is undecided", () => {
    expect(report(many, "full").match(/^ (?:PASS|WARN|FAIL|INCOMPLETE) /gm)).toHaveLength(20);
    const quiet = report(many, "quiet");
    expect(quiet).toContain("✗ FAIL");
    expect(quiet).toContain(" Not decided\n ? weather");
    expect(quiet).not.toContain("▲ weather");
    expect(quiet).not.toContain("✓ weather");
  });
});

it("an answer that is not the expected one is shown below it, with the first character that differs", () => {
  const exact = { id: "weather", correctness: { exact_match: "I cannot help with that." } };
  const text = report(runs(11, { ...declined, answer: "I can't help with that." }, exact));
  const lines = text.split("\n");
  const expected = lines.findIndex((line) => line.includes("- I cannot help"));
  expect(lines[expected + 1]).toContain("+ I can't help with that.");
  expect(lines[expected + 2]?.indexOf("^")).toBe(lines[expected]?.indexOf("not help"));
});

describe("calls that are not the expected ones", () => {
  const calls = {
    id: "weather",
    path: {
      expected_tool_calls: [
        { name: "search", arguments: { q: "maps", page: 1 } },
        { name: "book", arguments: { id: 7 } },
      ],
    },
  };
  const called: RunText = {
    ...declined,
    tools: [
      { name: "search", arguments: { q: "maps", page: 2 } },
      { name: "pay", arguments: { usd: 3 } },
    ],
  };
  const wanted = [
    '- search(q: "maps", page: 1)',
    '+ search(q: "maps", page: 2)',
    "- book(id: 7)   not called",
    "+ pay(usd: 3)   not expected",
  ];

  it.each(["grouped", "full"] as const)("are a diff of their arguments, said once: %s", (detail) => {
    const text = report(runs(1, called, { ...calls, severity: { path: "fail" } }), detail);
    const shown = text.split("\n").map((line) => line.trim());
    const from = shown.indexOf(wanted[0] ?? "");
    expect(shown.slice(from, from + wanted.length)).toEqual(wanted);
    expect(text).not.toContain("expected | happened");
    expect(text).toContain("book was never called");
  });

  it("are in the verdict for programs, with the number of the call", () => {
    const [reported] = runs(1, called, calls);
    const check = reported?.verdict.layers.path.checks.find((one) => one.check === "expected_tool_calls");
    expect(check?.reasons).toEqual([
      {
        code: "CALL_ARGUMENTS_MISMATCH",
        step: 1,
        expected: 'search(q: "maps", page: 1)',
        actual: 'search(q: "maps", page: 2)',
      },
      { code: "CALL_MISSING", step: null, expected: "book(id: 7)", actual: null },
      { code: "CALL_UNEXPECTED", step: 2, expected: null, actual: "pay(usd: 3)" },
    ]);
  });
});
