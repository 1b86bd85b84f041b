import { describe, expect, test } from "vitest";
import { consoleReport } from "../../src/report/render/terminal/console.ts";
import { githubReport } from "../../src/report/render/formats/github.ts";
import { junitReport } from "../../src/report/render/formats/junit.ts";
import { markdownReport } from "../../src/report/render/formats/markdown.ts";
import { reportVerdict, type ReportedVerdict } from "../../src/report/render/findings/reported.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";
import { evaluated } from "../support/evaluated.ts";
import { withVerdict } from "../support/with-verdict.ts";
import { resultOf } from "../support/result-of.ts";

const ROWS = 500;
const FAILED = 12;

/** A verdict for each row of a table; the first ones fail, the next ones warn. */
const verdicts: readonly ReportedVerdict[] = Array.from({ length: ROWS }, (_, at) => {
  const line = at + 2;
  const query = {
    id: `case-${line}`,
    text: `Question ${line}?`,
    correctness: { expected_in_answer: ["yes"] },
    path: { max_tool_calls: 0 },
  };
  const answer = at < FAILED ? "no" : "yes";
  const tools = at >= FAILED && at < FAILED + 20 ? ["search"] : [];
  const reported = reportVerdict(evaluated(query, { query: query.text, answer, tools }));
  const checks = reported.verdict.layers.correctness.checks.map((check) => ({
    ...check,
    source: { file: "specs/cases.csv", line, column: 1 },
  }));
  const layers = {
    ...reported.verdict.layers,
    correctness: { ...reported.verdict.layers.correctness, checks },
  };
  return withVerdict(reported, { ...reported.verdict, layers, row: { file: "specs/cases.csv", line } });
});

const result = resultOf({ verdicts, runs: ROWS, queries: ROWS });

describe("the reports of five hundred rows of a table", () => {
  test("the terminal groups them by table and names the rows that failed", () => {
    const lines = [...consoleReport(result, plainTheme)].join("").split("\n");

    expect(lines.length).toBeLessThan(40);
    expect(lines.find((line) => line.includes("✓"))).toMatch(
      /✓ specs\/cases\.csv +×468 .*500 rows +✗ 12 failed, below/,
    );
    expect(lines.find((line) => line.includes("▲"))).toMatch(
      /specs\/cases\.csv +×20 .*max_tool_calls.*cases\.csv:14 \(case-14\), :15 \(case-15\), .* and 12 more/,
    );
    expect(lines.find((line) => line.includes("rows     "))).toBe(
      "   rows     specs/cases.csv:2 (case-2), :3 (case-3), :4 (case-4), :5 (case-5), :6 (case-6), :7 (case-7), :8 (case-8), :9 (case-9) and 4 more",
    );
  });

  test("Markdown has one row for each kind", () => {
    const text = markdownReport(result);

    expect(text.split("\n").length).toBeLessThan(40);
    expect(text).toContain("lines 2 (case-2), 3 (case-3)");
  });

  test("GitHub gets one annotation for each kind of problem of a table, at the first row, which names the rows", () => {
    const lines = [...githubReport(result)].join("").trim().split("\n");

    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^::error file=specs\/cases\.csv,line=2,col=1,title=.*12 rows::expected_in_answer: .*; lines 2 \(case-2\), 3 \(case-3\).* 13 \(case-13\)$/,
    );
    expect(lines[1]).toMatch(/^::warning file=specs\/cases\.csv,line=14,.*20 rows::max_tool_calls/);
  });

  test("JUnit has a case for each row, and names it where it fails", () => {
    const text = [...junitReport(result)].join("");

    expect(text.match(/<testcase /g)).toHaveLength(ROWS);
    expect(text).toContain("row: specs/cases.csv:13");
  });
});
