import { arrows, dollars, grouped } from "../evaluate/text.ts";
import type { Outcome } from "../model/outcome.ts";
import { differenceLine } from "./diff-console.ts";
import { first, type Listed } from "./listed.ts";
import { counted, duration, printable } from "./printable.ts";
import type { ReportedVerdict } from "./reported.ts";
import type { TestResult } from "./result.ts";
import { scoreLine } from "./score-lines.ts";
import type { Theme } from "./theme.ts";
import { brokenSequence, toolDiff } from "./tool-diff.ts";
import type { CheckJson, LayerJson, VerdictJson } from "./verdict-schema.ts";

const words: Readonly<Record<Outcome, string>> = {
  fail: "FAIL",
  error: "ERROR",
  incomplete: "INCOMPLETE",
  warn: "WARN",
  pass: "PASS",
  skip: "SKIP",
};

const glyphs: Readonly<Record<Outcome, string>> = {
  fail: "✗",
  error: "!",
  incomplete: "?",
  warn: "▲",
  pass: "✓",
  skip: "○",
};

/** The report people read: each run with its three layers, then what no verdict covers, the counts and why the exit code. */
export function* consoleReport(result: TestResult, theme: Theme): Generator<string> {
  for (const reported of result.verdicts) yield `${verdictSection(reported, theme).join("\n")}\n\n`;
  for (const lines of [...gateSections(result, theme), ...withoutVerdict(result, theme)]) {
    yield `${lines.join("\n")}\n\n`;
  }
  yield `${summarySection(result, theme).join("\n")}\n`;
}

/** One verdict by itself: its layers and checks, as the report shows them. */
export function verdictText(verdict: VerdictJson, theme: Theme): string {
  return `${verdictLines(verdict, theme).join("\n")}\n`;
}

function verdictLines(verdict: VerdictJson, theme: Theme): string[] {
  const title = `${verdict.spec} · ${printable(verdict.query ?? "(query unknown)", 90)}`;
  const lines = [
    `${paint(verdict.outcome, ` ${words[verdict.outcome]} `, theme)} ${title}`,
    ...(verdict.error === null ? [] : [theme.bad(`   ERROR        ${printable(verdict.error, 400)}`)]),
    theme.dim(`        ${facts(verdict)}`),
  ];
  if (verdict.hard_fail) lines.push(...forbiddenBanner(verdict, theme));
  for (const layer of ["correctness", "path", "cost"] as const) {
    lines.push(...layerLines(layer, verdict.layers[layer], verdict.error, theme));
  }
  return lines;
}

function verdictSection(reported: ReportedVerdict, theme: Theme): readonly string[] {
  const { verdict, tools, handoffs, answer } = reported;
  const lines = verdictLines(verdict, theme);
  if (tools !== null) lines.push(...toolLines(verdict, tools, theme));
  if (handoffs.length > 0) lines.push(theme.dim(`   hand-offs    ${printable(handoffs.join(" → "), 400)}`));
  if (verdict.layers.correctness.outcome === "fail" && (answer !== null || verdict.error === null))
    lines.push(answerLine(reported, theme));
  lines.push(...comparedLines(reported, theme));
  return lines;
}

/** The tools in their order; beside those that the spec expects, where that is what went wrong. */
function toolLines(verdict: VerdictJson, tools: readonly (string | null)[], theme: Theme): readonly string[] {
  const expected = brokenSequence(verdict);
  if (expected === null) return [theme.dim(`   tools        ${printable(arrows(tools), 400)}`)];
  return toolDiff(expected, tools, theme);
}

const MOST_DIFFERENCES = 20;

function comparedLines({ compared }: ReportedVerdict, theme: Theme): readonly string[] {
  if (compared === null) return [];
  const { differences, regressed, version, variant } = compared;
  const name = `${version}${variant > 1 ? `, variant ${variant}` : ""}`;
  const said = differences.length === 0 ? "no differences" : counted(differences.length, "difference");
  const head = `   baseline     ${printable(name)}: ${said}${regressed ? ", regressed" : ""}`;
  const lines = differences
    .slice(0, MOST_DIFFERENCES)
    .map((one) => `  ${differenceLine(one, regressed, theme)}`);
  const rest = differences.length - lines.length;
  return [
    regressed ? theme.bad(head) : theme.dim(head),
    ...lines,
    ...(rest > 0 ? [`     … and ${rest} more`] : []),
  ];
}

function facts(verdict: VerdictJson): string {
  const of = verdict.metrics;
  const known = (name: string, shown: (value: number) => string): string => {
    const value = of[name];
    return typeof value === "number" ? shown(value) : "";
  };
  const parts = [
    `query ${verdict.query_id}`,
    verdict.expected_fail === true ? "expected to fail" : "",
    `run ${verdict.run_id.slice(0, 12)}…`,
    known("latency_ms", duration),
    known("total_tokens", (value) => `${grouped(value)} tokens`),
    known("cost_usd", dollars),
    verdict.complete ? "" : `not complete (${verdict.close_reason})`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function forbiddenBanner(verdict: VerdictJson, theme: Theme): readonly string[] {
  const hit = verdict.layers.path.checks.find(
    ({ check, outcome }) => check === "forbidden_tools" && outcome === "fail",
  );
  return hit === undefined ? [] : [theme.bad(`   FORBIDDEN TOOL: ${printable(hit.message, 200)}`)];
}

function layerLines(name: string, layer: LayerJson, error: string | null, theme: Theme): readonly string[] {
  const head = `   ${name.padEnd(12)} ${paint(layer.outcome, words[layer.outcome].toLowerCase(), theme)}`;
  if (layer.checks.length === 0) return [`${head}${theme.dim("  nothing asserted")}`];
  const shown = layer.checks.map((check) =>
    check.message === error ? { ...check, message: "the run ended in the error above" } : check,
  );
  return [head, ...shown.flatMap((check) => checkLines(check, theme))];
}

function checkLines(check: CheckJson, theme: Theme): readonly string[] {
  const mark = paint(check.outcome, glyphs[check.outcome], theme);
  const said = printable(check.message, 400);
  const quiet = check.outcome === "pass" || check.outcome === "skip";
  const lines = [`     ${mark} ${check.check.padEnd(26)} ${quiet ? theme.dim(said) : said}`];
  const indent = " ".repeat(34);
  if (!quiet && check.source !== null) {
    lines.push(theme.dim(`${indent}${printable(check.source.file)}:${check.source.line}`));
  }
  if (check.judge?.rationale != null)
    lines.push(theme.dim(`${indent}judge: ${printable(check.judge.rationale, 400)}`));
  if (check.remedy !== null) lines.push(theme.hint(`${indent}→ ${printable(check.remedy, 400)}`));
  return lines;
}

function answerLine({ answer }: ReportedVerdict, theme: Theme): string {
  return theme.dim(
    `   answer       ${answer === null ? "(not captured)" : JSON.stringify(printable(answer, 300))}`,
  );
}

function gateSections({ groups }: TestResult, theme: Theme): readonly (readonly string[])[] {
  if (groups.length === 0) return [];
  const lines = groups.flatMap(({ spec, queryId, report }) => {
    const outcome = report.gate?.outcome ?? "pass";
    const shown = outcome === "pass" ? "pass" : outcome === "fail" ? "fail" : "incomplete";
    const needed = report.gate?.runsNeeded;
    const more = outcome === "not_enough_runs" && needed ? ` (about ${counted(needed, "more run")})` : "";
    const word = outcome === "not_enough_runs" ? "not enough runs" : outcome;
    const said = `${word}: ${printable(report.gate?.reason ?? "", 300)}${more}`;
    return [
      `   ${paint(shown, glyphs[shown], theme)} ${spec} · ${queryId}: ${said}`,
      ...scoreLine(report, "score").map((line) => theme.dim(`     ${line}`)),
    ];
  });
  return [["Reliability", ...lines]];
}

function withoutVerdict(result: TestResult, theme: Theme): readonly (readonly string[])[] {
  const { missing, ambiguous, unmatched, invalidInput, agentCalls = [] } = result;
  return [
    block(
      theme.unsure("Queries without a run"),
      missing,
      ({ query, spec }) => `${spec} · ${printable(query)}`,
    ),
    block(theme.unsure("Runs that fit several queries"), ambiguous, (run) => {
      return `${printable(run.query ?? "(query unknown)")} fits ${run.candidates.join(", ")} of ${run.spec}`;
    }),
    block(theme.dim("Runs that no query is about"), unmatched, (run) => {
      return `${printable(run.query ?? "(query unknown)", 90)} (${printable(run.reason)})`;
    }),
    block(
      theme.bad("Calls of the agent that went wrong"),
      agentCalls.filter(({ outcome }) => outcome !== "ok"),
      ({ queryId, run, reason }) => `${printable(queryId)}, run ${run}: ${printable(reason, 300)}`,
    ),
    block(theme.unsure("Input that could not be read"), invalidInput, ({ file, line, reason }) => {
      return `${printable(file)}${line === null ? "" : `:${line}`}: ${printable(reason)}`;
    }),
  ].filter((lines) => lines.length > 0);
}

const MOST_SHOWN = 20;

function block<Item>(title: string, items: Listed<Item>, shown: (item: Item) => string): readonly string[] {
  if (items.length === 0) return [];
  const lines = first(items, MOST_SHOWN).map((item) => `   ${shown(item)}`);
  const rest = items.length - lines.length;
  return [title, ...lines, ...(rest > 0 ? [`   … and ${rest} more`] : [])];
}

function summarySection(result: TestResult, theme: Theme): readonly string[] {
  const { summary, exit } = result;
  const counts: readonly (readonly [number, string, (text: string) => string])[] = [
    [summary.failed, "failed", theme.bad],
    [summary.errors, summary.errors === 1 ? "error" : "errors", theme.unsure],
    [summary.incomplete, "incomplete", theme.unsure],
    [summary.warnings, summary.warnings === 1 ? "warning" : "warnings", theme.unsure],
    [summary.passed, "passed", theme.good],
    [summary.skipped, "skipped", theme.dim],
  ];
  const shown = counts.filter(([count]) => count > 0).map(([count, word, show]) => show(`${count} ${word}`));
  const verdicts = `${counted(summary.total, "verdict")}${shown.length > 0 ? `: ${shown.join(", ")}` : ""}`;
  const lines = [
    `${verdicts} · ${counted(summary.runs, "run")}, ${summary.unmatched} unmatched, ${summary.ambiguous} ambiguous · ${counted(summary.missing, "missing query", "missing queries")}`,
  ];
  const why = exit.reasons.length === 0 ? "" : `: ${exit.reasons.join(", ")}`;
  const show = exit.code === 0 ? theme.good : exit.code === 1 ? theme.bad : theme.unsure;
  lines.push(show(`exit ${exit.code}${why}`));
  return lines;
}

function paint(outcome: Outcome, text: string, theme: Theme): string {
  switch (outcome) {
    case "pass":
      return theme.good(text);
    case "fail":
      return theme.bad(text);
    case "skip":
      return theme.dim(text);
    case "warn":
    case "incomplete":
    case "error":
      return theme.unsure(text);
  }
}
