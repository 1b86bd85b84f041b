import { notJudgedLine } from "../terminal/not-judged-line.ts";
import { arrows, dollars, grouped } from "../../../evaluate/rules/text.ts";
import type { Outcome } from "../../../model/outcome.ts";
import type { Listed } from "../findings/listed.ts";
import { code, plain } from "./markdown-text.ts";
import { inspectCommand, runPlace } from "../terminal/grouped/run-place.ts";
import { counted, duration, printable } from "../terminal/printable.ts";
import { type Overview, overviewOf, type QueryOverview, type VerdictGroup } from "../overview/overview.ts";
import { type Problem, problemsBeside, problemsOf } from "../problems/problems.ts";
import type { ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";

/** Hidden text in the comment, by which programs recognise a report of Tracejury. */
const COMMENT_MARKER = "<!-- tracejury-report -->";

/** Maximum length of the comment in characters. GitHub allows 65,536 characters. */
const LONGEST = 60_000;
const MOST_ROWS = 200;

const signs: Readonly<Record<Outcome, string>> = {
  fail: "❌ fail",
  error: "❗ error",
  incomplete: "❓ incomplete",
  warn: "⚠️ warn",
  pass: "✅ pass",
  skip: "⚪ skip",
};

/** Returns a Markdown comment for a pull request: the marker, the counts, the runs, and the violations. */
export function markdownReport(result: TestResult): string {
  return `${COMMENT_MARKER}\n${markdownBody(result)}\n`;
}

/** Returns the Markdown comment without the marker. */
export function markdownBody(result: TestResult): string {
  const isLong = result.summary.runs > FEW_RUNS;
  const body = isLong ? groupTables(overviewOf(result)) : [table(result), ...problemParts(result)];
  const beside = isLong ? problemList([...problemsBeside(result)]) : [];
  const { tally, summary } = result;
  const notJudged = plain(notJudgedLine(tally.notJudged, summary.total, "verdicts") ?? "");
  const parts = [heading(result), counts(result), notJudged, ...body, ...beside];
  return capped(parts.filter((part) => part !== ""));
}

function heading({ exit }: TestResult): string {
  const word = ["✅ passed", "❌ failed", "❓ undecided"][exit.code] ?? "";
  const why =
    exit.reasons.length === 0 ? "" : `\n\n${exit.reasons.map((reason) => plain(reason)).join(", ")}`;
  return `## Tracejury: ${word}${why}`;
}

function counts({ summary }: TestResult): string {
  const parts = [
    [summary.failed, "failed"],
    [summary.errors, summary.errors === 1 ? "error" : "errors"],
    [summary.incomplete, "incomplete"],
    [summary.warnings, summary.warnings === 1 ? "warning" : "warnings"],
    [summary.passed, "passed"],
    [summary.skipped, "skipped"],
    [summary.missing, "missing"],
    [summary.ambiguous, "ambiguous"],
    [summary.unmatched, "unmatched"],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, word]) => `**${count}** ${word}`);
  return [`${counted(summary.total, "verdict")} of ${counted(summary.runs, "run")}`, ...shown].join(" · ");
}

/** Returns a table of the verdicts, worst first, so that a truncated table lacks the best verdicts. */
function table({ verdicts }: TestResult): string {
  if (verdicts.length === 0) return "";
  const rows = worst(verdicts).map(row);
  const rest = verdicts.length - rows.length;
  return [
    "| outcome | query | correctness | path | cost | tools | tokens | cost in USD | time |",
    "|---|---|---|---|---|---|--:|--:|--:|",
    ...rows,
    ...(rest > 0 ? [`\n… and ${counted(rest, "more verdict")}`] : []),
  ].join("\n");
}

/** Returns the verdicts for the table, worst outcome first. Verdicts with equal outcomes keep their order. */
function worst(verdicts: Listed<ReportedVerdict>): readonly ReportedVerdict[] {
  const having = new Map(Object.keys(signs).map((outcome) => [outcome, [] as ReportedVerdict[]]));
  for (const reported of verdicts) {
    const same = having.get(reported.verdict.outcome);
    if (same !== undefined && same.length < MOST_ROWS) same.push(reported);
  }
  return [...having.values()].flat().slice(0, MOST_ROWS);
}

function row({ verdict, tools }: ReportedVerdict): string {
  const { layers, metrics } = verdict;
  const known = (name: string, shown: (value: number) => string): string => {
    const value = metrics[name];
    return typeof value === "number" ? plain(shown(value)) : "—";
  };
  const isWell = verdict.outcome === "pass" || verdict.outcome === "skip";
  const hint = isWell ? null : inspectCommand(verdict);
  const cells = [
    `${signs[verdict.outcome]}${verdict.expected_fail === true ? " (expected to fail)" : ""}`,
    `${code(verdict.query ?? verdict.query_id, 90)}<br>${plain(verdict.spec)}${hint === null ? "" : `<br>${code(hint, 400)}`}`,
    layers.correctness.outcome,
    layers.path.outcome,
    layers.cost.outcome,
    tools === null ? "" : plain(arrows(tools), 200),
    known("total_tokens", grouped),
    known("cost_usd", dollars),
    known("latency_ms", duration),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Number of runs up to which each run has its own table row. With more runs, each row is a group of runs. */
const FEW_RUNS = 10;
const MOST_GROUPS = 50;
const MOST_LINES = 12;

function groupTables({ failed, undecided, warned, queries }: Overview): readonly string[] {
  return [
    groupTable("Failed", failed, true),
    groupTable("Not decided", undecided, false),
    groupTable("Warnings", warned, false),
    passedTable(queries),
  ];
}

function groupTable(title: string, groups: readonly VerdictGroup[], isOpen: boolean): string {
  if (groups.length === 0) return "";
  const rows = groups.slice(0, MOST_GROUPS).map(groupRow);
  const rest = groups.length - rows.length;
  return [
    `<details${isOpen ? " open" : ""}><summary>${title}: ${counted(groups.length, "kind")}</summary>\n`,
    "| | query | runs | why | example |",
    "|---|---|--:|---|---|",
    ...rows,
    ...(rest > 0 ? [`\n… and ${rest} more`] : []),
    "\n</details>",
  ].join("\n");
}

function groupRow({
  outcome,
  spec,
  queryId,
  rows,
  count,
  messages,
  example: { verdict },
}: VerdictGroup): string {
  const why = [...messages].map(
    ([check, texts]) => `${code(check)} ${plain([...texts.keys()][0] ?? "", 200)}`,
  );
  const found = runPlace(verdict);
  const place = found === null ? code(verdict.run_id.slice(0, 12)) : code(found, 400);
  const reason = verdict.error === null ? why : [plain(verdict.error, 200), ...why];
  return `| ${signs[outcome]} | ${code(queryId, 90)}<br>${plain(spec)}${rowsCell(rows)} | ${count} | ${reason.slice(0, 4).join("<br>")} | ${place} |`;
}

/**
 * Returns the line numbers and ids of the table rows in a group. Returns an empty text for a query of a spec
 * file.
 */
function rowsCell(rows: VerdictGroup["rows"]): string {
  if (rows.length === 0) return "";
  const lines = rows.slice(0, MOST_LINES).map(({ line, queryId }) => `${line} (${printable(queryId, 24)})`);
  return `<br>${plain(`${rows.length === 1 ? "line" : "lines"} ${lines.join(", ")}${rows.length > lines.length ? " …" : ""}`)}`;
}

function passedTable(queries: readonly QueryOverview[]): string {
  const passed = queries.filter(({ counts: { pass } }) => pass > 0);
  if (passed.length === 0) return "";
  const rows = passed.slice(0, MOST_ROWS).map(({ spec, queryId, counts: { pass }, medianMs, costUsd }) => {
    const time = medianMs === undefined ? "—" : duration(medianMs);
    return `| ${code(queryId, 90)} | ${plain(spec)} | ${pass} | ${time} | ${costUsd === undefined ? "—" : plain(dollars(costUsd))} |`;
  });
  const table = [
    "| query | spec | runs | median time | cost in USD |",
    "|---|---|--:|--:|--:|",
    ...rows,
  ].join("\n");
  return `<details><summary>Passed: ${counted(passed.length, "query", "queries")}</summary>\n\n${table}\n\n</details>`;
}

function problemParts(result: TestResult): readonly string[] {
  return problemList(problemsOf(result));
}

function problemList(problems: Iterable<Problem>): readonly string[] {
  const shown: Readonly<Record<Problem["level"], Problem[]>> = { error: [], warning: [] };
  const count = { error: 0, warning: 0 };
  for (const problem of problems) {
    if (count[problem.level]++ < MOST_ROWS) shown[problem.level].push(problem);
  }
  return (["error", "warning"] as const).flatMap((level) => {
    if (count[level] === 0) return [];
    const title = `<details${level === "error" ? " open" : ""}><summary>${counted(count[level], level)}</summary>\n`;
    return [[title, ...shown[level].map(item), moreOf(count[level]), "\n</details>"].join("\n")];
  });
}

function moreOf(count: number): string {
  return count > MOST_ROWS ? `- … and ${count - MOST_ROWS} more` : "";
}

function item({ title, message, source }: Problem): string {
  const place = source === null ? "" : ` (${code(`${source.file}:${source.line}`)})`;
  return `- ${code(title, 160)}${place}<br>${plain(message, 500)}`;
}

function capped(parts: readonly string[]): string {
  const lines = parts.join("\n\n").split("\n");
  let length = 0;
  const kept = lines.filter((line) => (length += line.length + 1) <= LONGEST);
  return kept.length < lines.length
    ? `${kept.join("\n")}\n\n… truncated: the report is too long`
    : kept.join("\n");
}
