import { describe, expect, test } from "vitest";
import { consoleReport } from "../../src/report/render/terminal/console.ts";
import { githubReport } from "../../src/report/render/formats/github.ts";
import { markdownReport } from "../../src/report/render/formats/markdown.ts";
import { reportVerdict, type ReportedVerdict } from "../../src/report/render/findings/reported.ts";
import type { TestResult } from "../../src/report/render/json/result.ts";
import { plainTheme } from "../../src/report/render/terminal/theme.ts";
import { evaluated } from "../support/evaluated.ts";
import { resultOf } from "../support/result-of.ts";

const ROWS = 500;
const FAILED = 12;

/** A verdict for each row of a table; the first ones fail, the next ones warn. */
function verdicts(): ReportedVerdict[] {
  return Array.from({ length: ROWS }, (_, at) => {
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
    return { ...reported, verdict: { ...reported.verdict, layers, row: { file: "specs/cases.csv", line } } };
  });
}

function result(): TestResult {
  const all = verdicts();
  return resultOf({ verdicts: all, runs: all.length, queries: all.length });
}

describe("the reports of five hundred rows of a table", () => {
  test("the terminal groups them by table and names the rows that failed", () => {
    const lines = [...consoleReport(result(), plainTheme)].join("").split("\n");

    expect(lines.length).toBeLessThan(40);
    expect(lines.find((line) => line.includes("✓"))).toMatch(
      /✓ specs\/cases\.csv +×468 .*500 rows +✗ 12 failed, below/,
    );
    expect(lines.find((line) => line.includes("▲"))).toMatch(
      /specs\/cases\.csv +×20 .*max_tool_calls.*cases\.csv:14, :15, .* and 12 more/,
    );
    expect(lines.find((line) => line.includes("rows     "))).toBe(
      "   rows     specs/cases.csv:2, :3, :4, :5, :6, :7, :8, :9 and 4 more",
    );
  });

  test("Markdown has one row for each kind", () => {
    const text = markdownReport(result());

    expect(text.split("\n").length).toBeLessThan(40);
    expect(text).toContain("lines 2, 3, 4");
  });

  test("GitHub gets a few annotations of a table, each at its row, and the number of the others", () => {
    const lines = [...githubReport(result())].join("").split("\n");

    expect(lines.filter((line) => line.includes("file=specs/cases.csv"))).toHaveLength(3);
    expect(lines.join("\n")).toContain("error expected_in_answer in specs/cases.csv: 9 more rows");
  });
});
