import { type BacktestReport, countFlips, type Flip, isWorse } from "../../../authoring/backtest/flips.ts";
import { code, plain } from "../formats/markdown-text.ts";
import { counted, printable, type Theme } from "../terminal/printable.ts";

/** Returns the JSON of `backtest --format json`, with every changed verdict. */
export function backtestJson(report: BacktestReport, exitCode: number): object {
  return {
    format_version: 1,
    base: report.base,
    spec: report.spec,
    summary: {
      runs: report.runs,
      judged: report.judged,
      flips: report.flips.length,
      worse: report.flips.filter(isWorse).length,
      by_kind: countFlips(report.flips).map(([before, after, count]) => ({ before, after, count })),
      exit_code: exitCode,
    },
    flips: report.flips.map(flipJson),
    missing: report.missing,
  };
}

function flipJson(flip: Flip): object {
  return {
    spec: flip.spec,
    run_id: flip.runId,
    trace_id: flip.traceId,
    query: flip.query,
    before: { outcome: flip.before.fate, query_id: flip.before.queryId },
    after: { outcome: flip.after.fate, query_id: flip.after.queryId },
    checks: flip.checks,
  };
}

const EXAMPLES = 5;

/**
 * Returns the console output of `backtest`: for each kind of change, the number of changed verdicts and
 * example runs.
 */
export function backtestConsole(report: BacktestReport, exitCode: number, theme: Theme): string {
  const { flips } = report;
  const kinds = countFlips(flips).flatMap(([from, to, count]) => {
    const own = flips.filter(({ before, after }) => before.fate === from && after.fate === to);
    const paint = to === "fail" ? theme.bad : from === "fail" ? theme.good : theme.unsure;
    const rest = count - EXAMPLES;
    return [
      paint(`${from} → ${to}: ${counted(count, "run")}`),
      ...own.slice(0, EXAMPLES).flatMap((flip) => exampleLines(flip, theme)),
      ...(rest > 0 ? [theme.dim(`   … and ${rest} more`)] : []),
    ];
  });
  const missing =
    report.missing.length === 0
      ? []
      : [theme.unsure(`Queries without a run: ${printable(report.missing.join(", "), 400)}`)];
  const summary = `exit ${exitCode}: ${headline(report)}`;
  return `${[...kinds, ...missing, exitCode === 0 ? summary : theme.bad(summary)].join("\n")}\n`;
}

function exampleLines({ query, runId, checks, after, before }: Flip, theme: Theme): readonly string[] {
  const id = after.queryId ?? before.queryId ?? "";
  const head = `   ${printable(query ?? "(query unknown)", 90)}${id === "" ? "" : theme.dim(` · ${id}`)}${theme.dim(` · run ${runId.slice(0, 12)}…`)}`;
  return [head, ...checks.slice(0, EXAMPLES).map((check) => `      ${checkText(check)}`)];
}

function checkText({ check, before, after, message }: Flip["checks"][number]): string {
  return `${check}: ${before ?? "no check"} → ${after ?? "no check"}  ${printable(message, 200)}`;
}

function headline({ runs, judged, flips }: BacktestReport): string {
  const worse = flips.filter(isWorse).length;
  return `${counted(runs, "run")}, ${judged} judged, ${counted(flips.length, "verdict")} would flip, ${worse} of them to fail`;
}

/**
 * Hidden text in the pull request comment. By this text, a later backtest finds the comment that it replaces.
 */
const BACKTEST_MARKER = "<!-- tracejury-backtest -->";

const LONGEST = 60_000;

/** Returns the output of `backtest` as a Markdown comment for a pull request. */
export function backtestMarkdown(report: BacktestReport): string {
  const { flips } = report;
  const kinds = countFlips(flips);
  const table = [
    "| before | after | runs |",
    "|---|---|--:|",
    ...kinds.map(([from, to, count]) => `| ${from} | ${to} | ${count} |`),
  ];
  const examples = kinds.map(([from, to, count]) => {
    const own = flips.filter(({ before, after }) => before.fate === from && after.fate === to);
    const shown = own.slice(0, EXAMPLES).map(({ query, runId, checks }) => {
      const why = checks.slice(0, EXAMPLES).map((check) => `<br>${plain(checkText(check), 400)}`);
      return `- ${code(query ?? "(query unknown)", 90)} ${code(runId, 60)}${why.join("")}`;
    });
    return [
      `<details><summary>${from} → ${to}: ${counted(count, "run")}</summary>\n`,
      ...shown,
      "\n</details>",
    ].join("\n");
  });
  const parts = [
    BACKTEST_MARKER,
    `## Tracejury backtest: ${flips.length === 0 ? "no verdict would flip" : headline(report)}`,
    ...(flips.length === 0 ? [headline(report)] : [table.join("\n"), ...examples]),
    ...(report.missing.length === 0
      ? []
      : [`Queries without a run: ${report.missing.map((id) => code(id)).join(", ")}`]),
  ];
  return `${parts.join("\n\n").slice(0, LONGEST)}\n`;
}
